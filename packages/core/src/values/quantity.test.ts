import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  equalQuantities,
  isZeroQuantity,
  maxQuantity,
  minQuantity,
  multiplyQuantity,
  negateQuantity,
  type Quantity,
  quantityFromInteger,
  quantityFromMilli,
  quantitySign,
  subtractQuantities,
  toInteger,
  toMilli,
  toNumber,
  zeroQuantity,
} from './quantity.ts';
import { formatQuantity } from './quantity-format.ts';
import { parseQuantity } from './quantity-parse.ts';

const q = parseQuantity;
const anyQuantity = fc.record<Quantity>({
  nano: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  format: fc.constantFrom('DecimalSI', 'BinarySI', 'DecimalExponent'),
});

describe('quantity arithmetic', () => {
  it('prints a sum in the format of the first operand', () => {
    expect(formatQuantity(addQuantities(q('1Gi'), q('1000M')))).toBe('2073741824');
    expect(formatQuantity(addQuantities(q('1Gi'), q('1024k')))).toBe('1049576Ki');
    expect(formatQuantity(addQuantities(q('1500m'), q('1Ki')))).toBe('1025500m');
  });

  it('prints a sum with zero in the format of the other operand', () => {
    expect(formatQuantity(addQuantities(zeroQuantity, q('2048Ki')))).toBe('2Mi');
    expect(formatQuantity(subtractQuantities(zeroQuantity, q('2048Ki')))).toBe('-2Mi');
  });

  it('multiplies by an integer of either sign', () => {
    expect(formatQuantity(multiplyQuantity(q('250m'), 6))).toBe('1500m');
    expect(formatQuantity(multiplyQuantity(q('1Gi'), -2n))).toBe('-2Gi');
  });

  it('compares across formats', () => {
    expect(compareQuantities(q('1Gi'), q('1G'))).toBe(1);
    expect(compareQuantities(q('1000m'), q('1'))).toBe(0);
    expect(compareQuantities(q('-1'), q('1n'))).toBe(-1);
    expect(equalQuantities(q('1e3'), q('1k'))).toBe(true);
  });

  it('recognises zero and sign', () => {
    expect(isZeroQuantity(q('0Gi'))).toBe(true);
    expect(isZeroQuantity(q('1n'))).toBe(false);
    expect([q('-5'), q('0'), q('5')].map(quantitySign)).toEqual([-1, 0, 1]);
  });

  it('prefers the first of two equal quantities', () => {
    const [a, b] = [q('1024'), q('1Ki')];
    expect(maxQuantity(a, b)).toBe(a);
    expect(minQuantity(b, a)).toBe(b);
    expect(maxQuantity(q('1'), q('2'))).toEqual(q('2'));
    expect(minQuantity(q('1'), q('2'))).toEqual(q('1'));
  });

  it('creates quantities from integers and thousandths', () => {
    expect(formatQuantity(quantityFromInteger(110))).toBe('110');
    expect(formatQuantity(quantityFromInteger(2n ** 30n, 'BinarySI'))).toBe('1Gi');
    expect(formatQuantity(quantityFromMilli(1500))).toBe('1500m');
  });

  it.each([
    ['1n', 1n, 1n],
    ['1500m', 1500n, 2n],
    ['-500m', -500n, -1n],
    ['1500u', 2n, 1n],
    ['2Ki', 2_048_000n, 2048n],
    ['0', 0n, 0n],
  ])('rounds %s away from zero to thousandths and to units', (text, milli, units) => {
    expect(toMilli(q(text))).toBe(milli);
    expect(toInteger(q(text))).toBe(units);
  });

  it('approximates as a number', () => {
    expect(toNumber(q('1500m'))).toBe(1.5);
    expect(toNumber(q('-100m'))).toBe(-0.1);
    expect(toNumber(q('16Gi'))).toBe(16 * 2 ** 30);
    expect(toNumber(q('1e30'))).toBe(1e30);
  });

  it('restores the value when a subtraction follows an addition', () => {
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (a, b) => {
        expect(subtractQuantities(addQuantities(a, b), b).nano).toBe(a.nano);
        expect(addQuantities(a, b).nano).toBe(addQuantities(b, a).nano);
        expect(subtractQuantities(a, b).nano).toBe(addQuantities(a, negateQuantity(b)).nano);
        expect(quantitySign(subtractQuantities(a, b))).toBe(compareQuantities(a, b));
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });

  it('multiplies like repeated addition', () => {
    fc.assert(
      fc.property(anyQuantity, fc.integer({ min: 0, max: 12 }), (quantity, times) => {
        let sum = zeroQuantity;
        for (let index = 0; index < times; index += 1) sum = addQuantities(sum, quantity);
        expect(sum.nano).toBe(multiplyQuantity(quantity, times).nano);
      }),
      { numRuns: 2_000 },
    );
  });
});
