import { describe, expect, it } from 'vitest';
import type { Offer, Packing, PackingProblem } from '../packing/packing-problem.ts';
import { packWithin } from './limited-packing.ts';

const offer = (room: readonly number[], price: number, limitUsage: number): Offer => ({
  room: Float64Array.from(room),
  price,
  limitUsage: Float64Array.of(limitUsage),
});

const problem = (offers: readonly Offer[], count: number, limitsLeft: number): PackingProblem => ({
  resources: 2,
  offers,
  kinds: new Uint32Array(offers.length),
  items: [{ count, size: Float64Array.of(1, 1), offers: Uint32Array.of(1) }],
  caps: [],
  conflicts: [],
  reserved: [],
  limitsLeft: Float64Array.of(limitsLeft),
});

function packed(of: PackingProblem, sparesLimits: boolean): Packing {
  const steps = packWithin(of, sparesLimits);
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
  }
}

const priceOf = (offers: readonly Offer[], { nodes }: Packing) =>
  nodes.reduce((sum, { offer: index, times }) => sum + times * (offers[index]?.price ?? 0), 0);

describe('packing within limits', () => {
  // The third holds as much as the second for the same share of the limits, with more to spare and at a high
  // price.
  const offers = [offer([3, 3], 1, 4), offer([4, 4], 1.5, 4), offer([4, 16], 10, 4)];

  it('takes the cheapest nodes if all of them are within the limits', () => {
    const { nodes, unplaced } = packed(problem(offers, 8, 12), false);
    expect(nodes).toEqual([{ times: 2, offer: 1, contents: [[0, 4]] }]);
    expect([...unplaced]).toEqual([0]);
  });

  it('compares prices among packings that take the least of the limits', () => {
    const found = packed(problem(offers, 8, 8), true);
    expect([...found.unplaced]).toEqual([0]);
    expect(priceOf(offers, found)).toBe(3);
  });

  it('leaves units without a node only if no packing is within the limits', () => {
    expect([...packed(problem(offers, 9, 8), true).unplaced]).toEqual([1]);
  });
});
