import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTimestamps, formatTimestamp, parseTimestamp } from './timestamp.ts';

const moments = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('timestamps', () => {
  it('truncates to seconds', () => {
    expect(formatTimestamp(1_794_713_514_999)).toBe(
      `${new Date(1_794_713_514_999).toISOString().slice(0, 19)}Z`,
    );
    expect(formatTimestamp(-1)).toBe('1969-12-31T23:59:59Z');
  });

  it('formats and parses every date of four-digit years as Date does', () => {
    fc.assert(
      fc.property(moments, (date) => {
        const text = formatTimestamp(date.getTime());
        expect(text).toBe(`${date.toISOString().slice(0, 19)}Z`);
        expect(parseTimestamp(text)).toEqual({
          epochSeconds: Math.floor(date.getTime() / 1000),
          nanoseconds: 0,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('reads offsets and fractions', () => {
    expect(parseTimestamp('2026-01-02T05:04:05.25+02:00')).toEqual({
      epochSeconds: Date.parse('2026-01-02T03:04:05Z') / 1000,
      nanoseconds: 250_000_000,
    });
    expect(parseTimestamp('2026-01-01T22:34:05-04:30')?.epochSeconds).toBe(
      Date.parse('2026-01-02T03:04:05Z') / 1000,
    );
  });

  it.each(['', 'now', '2026-13-01T00:00:00Z', '2026-01-01 00:00:00Z', '2026-01-01T24:00:00Z'])(
    'rejects %j',
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );

  it('sorts by time, and invalid texts first', () => {
    const sorted = ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05Z', '2026-01-02T04:04:04+01:00', ''].sort(
      compareTimestamps,
    );
    expect(sorted).toEqual([
      '',
      '2026-01-02T04:04:04+01:00',
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.5Z',
    ]);
  });
});
