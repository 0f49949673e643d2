import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Market, openMarket } from '../market.ts';
import type { Offer, PackingProblem } from '../packing-problem.ts';

function marketOf(problem: PackingProblem): Market {
  const steps = openMarket(problem);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const amounts = (length: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: length, maxLength: length })
    .map((list) => Float64Array.from(list));

const offers: fc.Arbitrary<readonly Offer[]> = fc.array(
  fc.record({ room: amounts(2, 20), price: fc.integer({ min: 1, max: 30 }) }),
  { minLength: 1, maxLength: 12 },
);

/** Two kinds of items, of which the second allows offers with an even index only. */
function problemOf(given: readonly Offer[]): PackingProblem {
  return {
    resources: 2,
    offers: given,
    kinds: Uint32Array.from(given, (_, index) => index % 2),
    items: [
      { count: 1, size: Float64Array.of(1, 1), offers: Uint32Array.of(0b11) },
      { count: 1, size: Float64Array.of(2, 1), offers: Uint32Array.of(0b01) },
    ],
    caps: [],
    conflicts: [],
    reserved: [],
  };
}

/** The lowest price of an offer for a load, by trying all offers of the problem. */
function lowestPrice(given: readonly Offer[], used: Float64Array, isEvenOnly: boolean): number {
  const prices = given
    .filter(
      ({ room }, index) => used.every((amount, r) => amount <= (room[r] ?? 0)) && !(isEvenOnly && index % 2),
    )
    .map(({ price }) => price);
  return Math.min(...prices);
}

describe('the index of offers', () => {
  it('finds an offer at the lowest price of all that hold a load and allow its items', () => {
    fc.assert(
      fc.property(offers, amounts(2, 20), fc.boolean(), (given, used, isEvenOnly) => {
        const { offers: index, frontier } = marketOf(problemOf(given));
        const found = index.cheapest(used, isEvenOnly ? [0, 1] : [0], Number.POSITIVE_INFINITY);
        const price = found < 0 ? Number.POSITIVE_INFINITY : frontier.price[found];
        expect(price).toBe(lowestPrice(given, used, isEvenOnly));
      }),
    );
  });

  it('finds none that costs more than the highest price asked for', () => {
    const { offers: index } = marketOf(problemOf([{ room: Float64Array.of(4, 4), price: 5 }]));
    expect(index.cheapest(Float64Array.of(4, 4), [0], 5)).toBe(0);
    expect(index.cheapest(Float64Array.of(4, 4), [0], 4.9)).toBe(-1);
  });
});
