import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../errors/index.ts';
import { compareQuantities } from './quantity.ts';
import { formatQuantity } from './quantity-format.ts';
import { parseQuantity } from './quantity-parse.ts';

const nanoOf = (text: string | number): bigint => parseQuantity(text).nano;
const messageOf = (text: string): string => {
  try {
    parseQuantity(text, 'spec.limits.cpu');
  } catch (error) {
    if (error instanceof CodedError && error.code === 'invalid-quantity') return error.message;
    throw error;
  }
  return 'accepted';
};

/** Texts of every form with the exact fraction that each represents. */
const powers = new Map<string, { numerator: bigint; denominator: bigint }>([
  ['n', { numerator: 1n, denominator: 10n ** 9n }],
  ['u', { numerator: 1n, denominator: 10n ** 6n }],
  ['m', { numerator: 1n, denominator: 1000n }],
  ['', { numerator: 1n, denominator: 1n }],
  ['k', { numerator: 1000n, denominator: 1n }],
  ['E', { numerator: 10n ** 18n, denominator: 1n }],
  ['Ki', { numerator: 1024n, denominator: 1n }],
  ['Gi', { numerator: 1024n ** 3n, denominator: 1n }],
  ['e5', { numerator: 10n ** 5n, denominator: 1n }],
  ['E-2', { numerator: 1n, denominator: 100n }],
  ['e-12', { numerator: 1n, denominator: 10n ** 12n }],
]);

const written = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.integer({ min: 0, max: 9_999_999 }),
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom('') }, fc.integer({ min: 0, max: 99_999 }).map(String)),
    fc.constantFrom(...powers.keys()),
  )
  .map(([sign, whole, fraction, suffix]) => {
    const { numerator, denominator } = powers.get(suffix) ?? { numerator: 1n, denominator: 1n };
    const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
    return {
      text: `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${suffix}`,
      numerator: digits * numerator,
      denominator: denominator * 10n ** BigInt(fraction.length),
    };
  });

describe('parseQuantity', () => {
  it.each<[string | number, bigint]>([
    ['0', 0n],
    ['-0', 0n],
    ['1', 1_000_000_000n],
    ['+1', 1_000_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['-.5', -500_000_000n],
    ['007', 7_000_000_000n],
    ['1n', 1n],
    ['1u', 1_000n],
    ['1m', 1_000_000n],
    ['1k', 10n ** 12n],
    ['1M', 10n ** 15n],
    ['1G', 10n ** 18n],
    ['1T', 10n ** 21n],
    ['1P', 10n ** 24n],
    ['1E', 10n ** 27n],
    ['1Ki', 1024n * 10n ** 9n],
    ['1Mi', 1024n ** 2n * 10n ** 9n],
    ['1Gi', 1024n ** 3n * 10n ** 9n],
    ['1Ti', 1024n ** 4n * 10n ** 9n],
    ['1Pi', 1024n ** 5n * 10n ** 9n],
    ['1Ei', 1024n ** 6n * 10n ** 9n],
    ['1E3', 10n ** 12n],
    ['1e3', 10n ** 12n],
    ['1E+3', 10n ** 12n],
    ['1e-3', 1_000_000n],
    [2, 2_000_000_000n],
    [0.1, 100_000_000n],
    [-1.5, -1_500_000_000n],
    [1e21, 10n ** 30n],
  ])('reads %j', (text, nano) => {
    expect(nanoOf(text)).toBe(nano);
  });

  it.each([
    ['0.1n', 1n],
    ['1.5n', 2n],
    ['-0.1n', -1n],
    ['1e-100', 1n],
    ['-1e-999999999', -1n],
    ['1.0000000001', 1_000_000_001n],
  ])('rounds %j away from zero to a billionth', (text, nano) => {
    expect(nanoOf(text)).toBe(nano);
  });

  it('caps binary quantities at the largest int64', () => {
    expect(formatQuantity(parseQuantity('8Ei'))).toBe('9223372036854775807');
    expect(formatQuantity(parseQuantity('-10Ei'))).toBe('-9223372036854775807');
    expect(formatQuantity(parseQuantity('7.5Ei'))).toBe('7680Pi');
  });

  it('does not cap decimal quantities above the largest int64', () => {
    expect(formatQuantity(parseQuantity('9223372036854775808'))).toBe('9223372036854775808');
    expect(formatQuantity(parseQuantity('100E'))).toBe('100E');
    expect(formatQuantity(parseQuantity('1e30'))).toBe('1e30');
  });

  it.each([
    ['1', 'DecimalSI'],
    ['1E', 'DecimalSI'],
    ['1E3', 'DecimalExponent'],
    ['1Ki', 'BinarySI'],
    ['0.1Ki', 'BinarySI'],
    ['0.0001Ki', 'DecimalSI'],
    ['0Ki', 'BinarySI'],
  ])('keeps the format of %j', (text, format) => {
    expect(parseQuantity(text).format).toBe(format);
  });

  it('rejects a number of more digits than any amount has', () => {
    expect(messageOf('1'.repeat(10_000))).toBe('accepted');
    expect(messageOf('1'.repeat(10_001))).toMatch(/ is not a quantity; /);
    expect(messageOf(`0.${'1'.repeat(10_000)}`)).toMatch(/ is not a quantity; /);
  });

  it.each(
    '|1e|1e+|1E-|1ee3|e3|E|m|.|-|1K|1ki|1kk|1Zi|1KiB|1i|1 |  1|1 Gi|1.5.5|--1|1_000|0x10|1,5|NaN|1e1.5|1e3Ki|1e1001|1\n'.split(
      '|',
    ),
  )('rejects %j', (text) => {
    expect(messageOf(text)).toBe(
      `spec.limits.cpu: ${JSON.stringify(text)} is not a quantity; write a number with an optional suffix, such as 500m, 2Gi or 1e3`,
    );
  });

  it('rejects numbers that JSON cannot represent', () => {
    expect(() => parseQuantity(Number.NaN)).toThrow('quantity: "NaN" is not a quantity');
    expect(() => parseQuantity(Number.POSITIVE_INFINITY)).toThrow('is not a quantity');
  });

  it('rejects an enormous exponent without computing it', () => {
    expect(messageOf('1e999999999999')).toContain('is not a quantity');
    expect(nanoOf('0e999999999999')).toBe(0n);
  });

  it('holds the exact value of any text, rounded away from zero past the billionth', () => {
    fc.assert(
      fc.property(written, ({ text, numerator, denominator }) => {
        const { nano } = parseQuantity(text);
        const size = nano < 0n ? -nano : nano;
        const exact = (numerator < 0n ? -numerator : numerator) * 10n ** 9n;
        expect(size * denominator >= exact).toBe(true);
        expect(size === 0n || (size - 1n) * denominator < exact).toBe(true);
        expect(nano < 0n).toBe(numerator < 0n);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });

  it('orders texts like the fractions they represent', () => {
    const coarse = written.filter(({ denominator }) => denominator <= 10n ** 9n);
    fc.assert(
      fc.property(coarse, coarse, (a, b) => {
        const difference = a.numerator * b.denominator - b.numerator * a.denominator;
        const order = difference === 0n ? 0 : difference < 0n ? -1 : 1;
        expect(compareQuantities(parseQuantity(a.text), parseQuantity(b.text))).toBe(order);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});
