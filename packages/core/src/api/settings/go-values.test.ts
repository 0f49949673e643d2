import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoolean, readDecimalInteger, readInteger, readNumber } from './go-values.ts';

describe('integers', () => {
  it('read back what they print', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(readInteger(String(value))).toBe(value);
        expect(readDecimalInteger(String(value))).toBe(value);
      }),
    );
  });

  it.each([
    ['0x1F', 31],
    ['-0b101', -5],
    ['0o17', 15],
    ['017', 15],
    ['1_000', 1000],
    ['+7', 7],
    ['0', 0],
  ])('of flags may be %s', (text, value) => {
    expect(readInteger(text)).toBe(value);
  });

  it.each(['', 'x', '1.5', '1e3', '08', '1__0', '1_', '0x', ' 1', '99999999999999999999'])(
    'of flags may not be %j',
    (text) => {
      expect(readInteger(text)).toBeUndefined();
    },
  );

  it('of variables are decimal only', () => {
    expect(readDecimalInteger('017')).toBe(17);
    expect(readDecimalInteger('0x1F')).toBeUndefined();
    expect(readDecimalInteger('1_000')).toBeUndefined();
    expect(readDecimalInteger('')).toBeUndefined();
  });
});

describe('numbers', () => {
  it.each([
    ['0.075', 0.075],
    ['.5', 0.5],
    ['5.', 5],
    ['-1e-3', -0.001],
  ])('may be %s', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  it.each(['', '.', 'NaN', 'Inf', '1e999', '0x1p-2', '1,5', ' 1'])('may not be %j', (text) => {
    expect(readNumber(text)).toBeUndefined();
  });
});

describe('booleans', () => {
  it('have Go’s twelve spellings', () => {
    expect(['1', 't', 'T', 'TRUE', 'true', 'True'].map(readBoolean)).not.toContain(undefined);
    expect(['0', 'f', 'F', 'FALSE', 'false', 'False'].map(readBoolean)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
    expect(readBoolean('yes')).toBeUndefined();
  });
});
