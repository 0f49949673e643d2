import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaidPrice } from './overlaid-price.ts';

describe('the price under an overlay', () => {
  it.each([
    ['0.5', 0.5],
    ['3', 3],
    ['+0.5', 2.5],
    ['+.5', 2.5],
    ['-0.5', 1.5],
    ['-3', 0],
    ['+10%', 2.2],
    ['-25%', 1.5],
    ['-100%', 0],
  ])('of 2 with %s is %d', (change, expected) => {
    expect(overlaidPrice(2, change)).toBeCloseTo(expected, 12);
  });

  it('is never negative', () => {
    const change = fc.tuple(fc.constantFrom('+', '-'), fc.nat(2000), fc.constantFrom('', '%'));
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), change, (price, [sign, amount, unit]) => {
        const percent = unit === '%' && sign === '-' ? Math.min(amount, 100) : amount;
        expect(overlaidPrice(price, `${sign}${percent}${unit}`)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
