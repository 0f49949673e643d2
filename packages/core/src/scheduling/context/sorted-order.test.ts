import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascendingOrder } from './sorted-order.ts';

describe('ascendingOrder', () => {
  it('orders any numbers as a stable sort does', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true }))), (keys) => {
        const expected = [...keys.keys()].sort((a, b) => Math.sign((keys[a] ?? 0) - (keys[b] ?? 0)) || a - b);
        expect([...ascendingOrder(Float64Array.from(keys))]).toEqual(expected);
      }),
    );
  });
});
