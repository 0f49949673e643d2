import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { civilDate } from './civil-date.ts';

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

describe('civilDate', () => {
  it('starts on Thursday 1 January 1970', () => {
    expect(civilDate(0)).toEqual({ year: 1970, month: 1, day: 1, weekday: 4 });
  });

  it('knows leap days', () => {
    expect(civilDate(day('2024-02-29'))).toEqual({ year: 2024, month: 2, day: 29, weekday: 4 });
    expect(civilDate(day('2100-02-28') + 1)).toMatchObject({ month: 3, day: 1 });
    expect(civilDate(day('2000-02-29'))).toMatchObject({ month: 2, day: 29 });
  });

  it('agrees with the platform on days across a hundred thousand years', () => {
    fc.assert(
      fc.property(fc.integer({ min: -18_000_000, max: 18_000_000 }), (epochDay) => {
        const date = new Date(epochDay * 86_400_000);
        expect(civilDate(epochDay)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
          weekday: date.getUTCDay(),
        });
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});
