import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Index of the worker that did each piece of work, grouped by event loop turn. */
async function workersByTurn(workers: number, piecesEach: number): Promise<readonly (readonly number[])[]> {
  const turns = new Turns();
  const byTurn: number[][] = [[]];
  const countTurn = () => {
    byTurn.push([]);
    ticking = setImmediate(countTurn);
  };
  let ticking = setImmediate(countTurn);
  const worker = async (_: unknown, index: number) => {
    for (let piece = 0; piece < piecesEach; piece += 1) {
      await turns.take();
      byTurn.at(-1)?.push(index);
    }
  };
  await Promise.all(Array.from({ length: workers }).map(worker));
  clearImmediate(ticking);
  return byTurn;
}

describe('turns', () => {
  it('end after a fixed number of pieces, however many workers share them', async () => {
    for (const workers of [1, 7, 400]) {
      const byTurn = await workersByTurn(workers, 20);
      expect(byTurn.flat()).toHaveLength(workers * 20);
      expect(Math.max(...byTurn.map((pieces) => pieces.length))).toBe(Math.min(25, workers * 20));
    }
  });

  it('serve waiting workers in order', async () => {
    const order = (await workersByTurn(100, 3)).flat();
    const all = Array.from({ length: 100 }, (_, worker) => worker);
    const rounds = [0, 1, 2].map((round) => order.slice(round * 100, round * 100 + 100));
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(all);
  });
});
