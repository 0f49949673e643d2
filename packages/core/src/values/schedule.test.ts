import { rounds } from '@karpenter/testkit/rounds';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs } from './duration.ts';
import { isWindowOpen, nextAfter } from './schedule.ts';
import { parseSchedule } from './schedule-parse.ts';

const at = (iso: string): number => Date.parse(iso);
const next = (text: string, iso: string): string | undefined => {
  const hit = nextAfter(parseSchedule(text), at(iso));
  return hit === undefined ? undefined : new Date(hit).toISOString();
};
const hour = durationMs(3_600_000);
const minuteMs = 60_000;

/** One field as text, with its plain meaning. */
interface FieldModel {
  readonly text: string;
  readonly isStar: boolean;
  readonly has: (value: number) => boolean;
}

const star: FieldModel = { text: '*', isStar: true, has: () => true };

function fieldModel(min: number, max: number): Arbitrary<FieldModel> {
  const value = fc.integer({ min, max });
  const list = fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => ({
    text: values.join(','),
    isStar: false,
    has: (candidate: number) => values.includes(candidate),
  }));
  const range = fc.tuple(value, value, fc.integer({ min: 1, max: 7 })).map(([a, b, step]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    const has = (candidate: number) =>
      candidate >= from && candidate <= to && (candidate - from) % step === 0;
    return { text: `${from}-${to}/${step}`, isStar: false, has };
  });
  const every = fc.integer({ min: 2, max: 9 }).map((step) => ({
    text: `*/${step}`,
    isStar: false,
    has: (candidate: number) => (candidate - min) % step === 0,
  }));
  return fc.oneof({ weight: 2, arbitrary: fc.constant(star) }, list, range, every);
}

type FieldModels = readonly [FieldModel, FieldModel, FieldModel, FieldModel, FieldModel];

function isHit([minute, hours, day, month, weekday]: FieldModels, instant: number): boolean {
  const date = new Date(instant);
  if (!minute.has(date.getUTCMinutes()) || !hours.has(date.getUTCHours())) return false;
  if (!month.has(date.getUTCMonth() + 1)) return false;
  const dayHit = day.has(date.getUTCDate());
  const weekdayHit = weekday.has(date.getUTCDay());
  return day.isStar || weekday.isStar ? dayHit && weekdayHit : dayHit || weekdayHit;
}

/** The first hit found by checking every minute; undefined if there is none before `end`. */
function walk(fields: FieldModels, instant: number, end: number): number | undefined {
  for (let minute = (Math.floor(instant / minuteMs) + 1) * minuteMs; minute < end; minute += minuteMs) {
    if (isHit(fields, minute)) return minute;
  }
  return undefined;
}

describe('nextAfter', () => {
  it.each([
    ['* * * * *', '2026-08-01T10:00:00.000Z', '2026-08-01T10:01:00.000Z'],
    ['* * * * *', '2026-08-01T09:59:59.999Z', '2026-08-01T10:00:00.000Z'],
    ['0 9 * * mon-fri', '2026-08-01T09:00:00Z', '2026-08-03T09:00:00.000Z'],
    ['30 2 1 * *', '2026-12-31T00:00:00Z', '2027-01-01T02:30:00.000Z'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['@hourly', '2026-08-01T10:00:00Z', '2026-08-01T11:00:00.000Z'],
    ['@weekly', '2026-08-01T10:00:00Z', '2026-08-02T00:00:00.000Z'],
    ['@yearly', '2026-08-01T10:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['0 0 1 1 *', '1969-06-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('finds the hit of %s after %s', (text, from, hit) => {
    expect(next(text, from)).toBe(hit);
  });

  it('accepts either day when both day fields are restricted', () => {
    expect(next('0 0 13 * fri', '2026-08-01T00:00:00Z')).toBe('2026-08-07T00:00:00.000Z');
    expect(next('0 0 13 * fri', '2026-08-07T00:00:00Z')).toBe('2026-08-13T00:00:00.000Z');
  });

  it('requires both days when one of them is a star', () => {
    expect(next('0 0 ? * fri', '2026-08-07T00:00:00Z')).toBe('2026-08-14T00:00:00.000Z');
    expect(next('0 0 13,* * fri', '2026-08-07T00:00:00Z')).toBe('2026-08-14T00:00:00.000Z');
  });

  it('treats a star with a step as a restriction', () => {
    expect(next('0 0 */10 * fri', '2026-08-01T00:00:00Z')).toBe('2026-08-07T00:00:00.000Z');
    expect(next('0 0 */10 * fri', '2026-08-07T00:00:00Z')).toBe('2026-08-11T00:00:00.000Z');
  });

  it('gives up after five years', () => {
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
    expect(next('0 0 29 2 *', '2097-01-01T00:00:00Z')).toBeUndefined();
    expect(next('0 0 29 2 *', '2099-01-01T00:00:00Z')).toBe('2104-02-29T00:00:00.000Z');
  });

  it('counts @every from the second of the instant', () => {
    expect(next('@every 1h30m', '2026-08-01T10:00:00.700Z')).toBe('2026-08-01T11:30:00.000Z');
  });

  it('finds the same hit as a check of every minute', () => {
    const fields = fc.tuple(
      fieldModel(0, 59),
      fieldModel(0, 23),
      fieldModel(1, 31),
      fieldModel(1, 12),
      fieldModel(0, 6),
    );
    const instants = fc.integer({
      min: at('1999-01-01T00:00:00Z') / 1000,
      max: at('2060-01-01T00:00:00Z') / 1000,
    });
    fc.assert(
      fc.property(fields, instants, (models, second) => {
        const instant = second * 1000;
        const end = (Math.floor(instant / minuteMs) + 1_000) * minuteMs;
        const hit = nextAfter(parseSchedule(models.map(({ text }) => text).join(' ')), instant);
        const expected = walk(models, instant, end);
        if (expected === undefined) expect(hit ?? end).toBeGreaterThanOrEqual(end);
        else expect(hit).toBe(expected);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});

describe('isWindowOpen', () => {
  const daily = parseSchedule('0 9 * * *');

  it.each([
    ['2026-08-01T08:59:59.999Z', false],
    ['2026-08-01T09:00:00.000Z', true],
    ['2026-08-01T09:59:59.999Z', true],
    ['2026-08-01T10:00:00.000Z', false],
  ])('at %s is %s for an hour from nine', (now, isOpen) => {
    expect(isWindowOpen(daily, hour, at(now))).toBe(isOpen);
  });

  it('stays open when windows overlap', () => {
    expect(isWindowOpen(parseSchedule('@hourly'), durationMs(2 * hour), at('2026-08-01T10:59:00Z'))).toBe(
      true,
    );
  });

  it('never opens for a schedule without hits', () => {
    expect(isWindowOpen(parseSchedule('0 0 31 2 *'), hour, at('2026-08-01T00:00:00Z'))).toBe(false);
  });
});
