import { describe, expect, it } from 'vitest';
import { observedPackOnOne, packOnOne } from './pack-on-one.ts';
import type { PackingProblem } from './packing-problem.ts';

const problem = (parts: Partial<PackingProblem> = {}): PackingProblem => ({
  resources: 1,
  offers: [4, 8, 16].map((room) => ({ room: Float64Array.of(room), price: room })),
  kinds: Uint32Array.of(0, 1, 2),
  items: [
    { count: 2, size: Float64Array.of(2), offers: Uint32Array.of(0b111) },
    { count: 1, size: Float64Array.of(3), offers: Uint32Array.of(0b111) },
  ],
  caps: [],
  conflicts: [],
  reserved: [],
  ...parts,
});

describe('packing on one node', () => {
  it('takes the cheapest offer that holds everything', () => {
    expect(packOnOne(problem())).toEqual({
      times: 1,
      offer: 1,
      contents: [
        [0, 2],
        [1, 1],
      ],
    });
  });

  it('takes only an offer that all items allow', () => {
    const items = problem().items.map((item, index) =>
      index === 0 ? item : { ...item, offers: Uint32Array.of(0b100) },
    );
    expect(packOnOne(problem({ items }))?.offer).toBe(2);
    const apart = items.map((item, index) =>
      index === 0 ? { ...item, offers: Uint32Array.of(0b010) } : item,
    );
    expect(packOnOne(problem({ items: apart }))).toBeUndefined();
  });

  it('fails if items may not share a node or a cap is exceeded', () => {
    expect(packOnOne(problem({ conflicts: [[0, 1]] }))).toBeUndefined();
    expect(packOnOne(problem({ caps: [{ items: [0], most: 1 }] }))).toBeUndefined();
    expect(packOnOne(problem({ caps: [{ items: [0], most: 2 }] }))).toBeDefined();
  });

  it('stays within the limits', () => {
    const offers = problem().offers.map((offer) => ({ ...offer, limitUsage: offer.room }));
    expect(packOnOne(problem({ offers, limitsLeft: Float64Array.of(7) }))).toBeUndefined();
    expect(packOnOne(problem({ offers, limitsLeft: Float64Array.of(8) }))?.offer).toBe(1);
  });

  it('says whether it packed anything', () => {
    const observed = observedPackOnOne();
    observed.packOnOne(problem({ conflicts: [[0, 1]] }));
    expect(observed.isUsed()).toBe(false);
    expect(observed.packOnOne(problem())).toEqual(packOnOne(problem()));
    observed.packOnOne(problem({ conflicts: [[0, 1]] }));
    expect(observed.isUsed()).toBe(true);
  });
});
