import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Which lane did each piece of work, by turn of the event loop. */
async function lanesByTurn(lanes: number, piecesEach: number): Promise<readonly (readonly number[])[]> {
  const turns = new Turns();
  const byTurn: number[][] = [[]];
  const countTurn = () => {
    byTurn.push([]);
    ticking = setImmediate(countTurn);
  };
  let ticking = setImmediate(countTurn);
  const lane = async (_: unknown, index: number) => {
    for (let piece = 0; piece < piecesEach; piece += 1) {
      await turns.take();
      byTurn.at(-1)?.push(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }).map(lane));
  clearImmediate(ticking);
  return byTurn;
}

describe('turns', () => {
  it('end after as many pieces of work, however many take part', async () => {
    for (const lanes of [1, 7, 400]) {
      const byTurn = await lanesByTurn(lanes, 20);
      expect(byTurn.flat()).toHaveLength(lanes * 20);
      expect(Math.max(...byTurn.map((pieces) => pieces.length))).toBe(Math.min(25, lanes * 20));
    }
  });

  it('are given in order to all who wait', async () => {
    const order = (await lanesByTurn(100, 3)).flat();
    const all = Array.from({ length: 100 }, (_, lane) => lane);
    const rounds = [0, 1, 2].map((round) => order.slice(round * 100, round * 100 + 100));
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(all);
  });
});
