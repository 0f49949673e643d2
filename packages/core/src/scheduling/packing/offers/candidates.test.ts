import { describe, expect, it } from 'vitest';
import { openMarket } from '../market.ts';
import type { Offer, PackingProblem } from '../packing-problem.ts';

/** Nodes of 1 to 100 cores, each with 4 GiB to a core. */
function offers(price: (cores: number) => number): readonly Offer[] {
  return Array.from({ length: 100 }, (_, index) => ({
    room: Float64Array.of(index + 1, 4 * (index + 1)),
    price: price(index + 1),
  }));
}

function candidates(given: readonly Offer[]): readonly (readonly number[])[] {
  const problem: PackingProblem = {
    resources: 2,
    offers: given,
    kinds: new Uint32Array(given.length),
    items: [
      { count: 50, size: Float64Array.of(1, 2), offers: Uint32Array.of(1) },
      { count: 50, size: Float64Array.of(1, 6), offers: Uint32Array.of(1) },
    ],
    caps: [],
    conflicts: [],
    reserved: [],
  };
  const steps = openMarket(problem);
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const { candidates, room } = step.value.frontier;
    return Array.from(candidates, (offer) => [...room.subarray(2 * offer, 2 * offer + 2)]);
  }
}

describe('candidate offers', () => {
  it('are of all sizes if a core costs the same on each', () => {
    const sizes = candidates(offers((cores) => cores)).map(([cores = 0]) => cores);
    expect(sizes[0]).toBe(1);
    expect(sizes.at(-1)).toBeGreaterThan(80);
    expect(sizes.length).toBeLessThan(40);
  });

  it('exclude offers with a higher price per core than smaller ones', () => {
    const sizes = candidates(offers((cores) => (cores > 20 ? 1.2 * cores : cores))).map(
      ([cores = 0]) => cores,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  });

  it('exclude offers that are hardly cheaper than others with far more cores', () => {
    const sizes = candidates(offers((cores) => cores + 5)).map(([cores = 0]) => cores);
    expect(Math.min(...sizes)).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeGreaterThan(80);
  });

  it('are all offers if there are few', () => {
    const few = offers((cores) => cores ** 2).slice(0, 10);
    expect(candidates(few)).toHaveLength(10);
  });
});
