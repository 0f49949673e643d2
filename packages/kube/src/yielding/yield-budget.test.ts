import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { SliceClock } from './time-slice.ts';
import { YieldBudget } from './yield-budget.ts';

interface Options {
  readonly clock?: SliceClock;
  readonly work?: () => void;
  readonly mostPieces?: number;
}

/** Index of the worker that did each piece of work, grouped by iteration of the event loop. */
async function workersByIteration(
  workers: number,
  piecesEach: number,
  { clock = new VirtualClock(), work = () => undefined, mostPieces }: Options = {},
): Promise<readonly (readonly number[])[]> {
  const budget = new YieldBudget(clock, mostPieces);
  const byIteration: number[][] = [[]];
  const countIteration = () => {
    byIteration.push([]);
    ticking = setImmediate(countIteration);
  };
  let ticking = setImmediate(countIteration);
  const worker = async (_: unknown, index: number) => {
    for (let piece = 0; piece < piecesEach; piece += 1) {
      await budget.run(() => {
        byIteration.at(-1)?.push(index);
        work();
      });
    }
  };
  await Promise.all(Array.from({ length: workers }).map(worker));
  clearImmediate(ticking);
  return byIteration;
}

const longest = (byIteration: readonly (readonly number[])[]) =>
  Math.max(...byIteration.map((pieces) => pieces.length));

describe('a yield budget', () => {
  it('allows a number of pieces that take no time, however many workers share it', async () => {
    for (const workers of [1, 7, 400]) {
      const byIteration = await workersByIteration(workers, 20, { mostPieces: 25 });
      expect(byIteration.flat()).toHaveLength(workers * 20);
      expect(longest(byIteration)).toBe(Math.min(25, workers * 20));
    }
  });

  it('allows five milliseconds of work, even when all workers ask at once', async () => {
    let now = 0;
    const work = () => {
      now += 2;
    };
    const byIteration = await workersByIteration(40, 3, { clock: { monotonic: () => now }, work });
    expect(byIteration.flat()).toHaveLength(120);
    expect(longest(byIteration)).toBe(3);
  });

  it('serves waiting workers in order', async () => {
    const order = (await workersByIteration(100, 3, { mostPieces: 25 })).flat();
    const all = Array.from({ length: 100 }, (_, worker) => worker);
    const rounds = [0, 1, 2].map((round) => order.slice(round * 100, round * 100 + 100));
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(all);
  });

  it('passes on what the work throws or rejects with, and serves the next', async () => {
    const budget = new YieldBudget(new VirtualClock());
    const throwing = budget.run(() => {
      throw new Error('thrown');
    });
    await expect(throwing).rejects.toThrow('thrown');
    await expect(budget.run(() => Promise.reject(new Error('rejected')))).rejects.toThrow('rejected');
    expect(await budget.run(() => 'next')).toBe('next');
  });
});
