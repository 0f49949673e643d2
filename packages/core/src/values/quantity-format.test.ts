import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuantity } from './quantity-format.ts';
import { parseQuantity } from './quantity-parse.ts';

describe('formatQuantity', () => {
  it.each([
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1000k', '1M'],
    ['1500k', '1500k'],
    ['1000u', '1m'],
    ['1000000001n', '1000000001n'],
    ['-2000m', '-2'],
    ['0', '0'],
    ['0Gi', '0'],
    ['0e9', '0'],
    ['1000E', '1000E'],
  ])('writes %s in decimal as %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it.each([
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['1023Ki', '1023Ki'],
    ['0.5Ki', '512'],
    ['1.5Ki', '1536'],
    ['-1Ki', '-1Ki'],
    ['-0.5Ki', '-512'],
    ['0.1Gi', '107374182400m'],
    ['0.0001Ki', '102400u'],
  ])('writes %s in binary, or in decimal below 1024 or with a fraction, as %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it.each([
    ['12e6', '12e6'],
    ['12e5', '1200e3'],
    ['120e5', '12e6'],
    ['1E3', '1e3'],
    ['100000e-5', '1'],
    ['1.25e-1', '125e-3'],
    ['1e100', '10e99'],
  ])('writes %s with an exponent divisible by three as %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it('writes 1024 plainly unless it was binary', () => {
    expect(formatQuantity(parseQuantity('1024'))).toBe('1024');
    expect(formatQuantity({ nano: 1024n * 10n ** 9n, format: 'BinarySI' })).toBe('1Ki');
  });

  it('writes texts that read back as the same value and, in their format, write the same again', () => {
    const nano = fc.bigInt({ min: -(2n ** 63n - 1n) * 10n ** 9n, max: (2n ** 63n - 1n) * 10n ** 9n });
    const format = fc.constantFrom('DecimalSI', 'BinarySI', 'DecimalExponent');
    const shift = fc.constantFrom(1n, 1000n, 10n ** 9n, 1024n ** 2n * 10n ** 9n);
    fc.assert(
      fc.property(nano, format, shift, (value, form, step) => {
        const text = formatQuantity({ nano: value - (value % step), format: form });
        const read = parseQuantity(text);
        expect(read.nano).toBe(value - (value % step));
        expect(formatQuantity({ ...read, format: form })).toBe(text);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});
