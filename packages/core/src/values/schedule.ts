import { type CivilDate, civilDate } from './civil-date.ts';
import type { DurationMs } from './duration.ts';

/** Minutes, hours and days, in UTC, at which a window opens. */
export interface CronSchedule {
  readonly kind: 'cron';
  /** Ascending. */
  readonly minutes: readonly number[];
  /** Ascending. */
  readonly hours: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly daysOfWeek: ReadonlySet<number>;
  /** One of the two day fields is `*` or `?`: a day must then match both, otherwise either, as in cron. */
  readonly needsBothDays: boolean;
}

/**
 * `@every`: counted from the instant in question, not from a fixed start, as in the cron library of
 * Karpenter.
 */
interface IntervalSchedule {
  readonly kind: 'interval';
  readonly everyMs: DurationMs;
}

export type Schedule = CronSchedule | IntervalSchedule;

const msPerSecond = 1000;
const msPerMinute = 60 * msPerSecond;
const minutesPerDay = 24 * 60;
const lastMinute = 59;
const searchYears = 5;

function matchesDay(schedule: CronSchedule, { month, day, weekday }: CivilDate): boolean {
  if (!schedule.months.has(month)) return false;
  const dayMatches = schedule.daysOfMonth.has(day);
  const weekdayMatches = schedule.daysOfWeek.has(weekday);
  return schedule.needsBothDays ? dayMatches && weekdayMatches : dayMatches || weekdayMatches;
}

/** The first matching minute of a day at or after `from`. */
function firstMinute({ hours, minutes }: CronSchedule, from: number): number | undefined {
  for (const hour of hours) {
    if (hour * 60 + lastMinute < from) continue;
    const minute = minutes.find((candidate) => hour * 60 + candidate >= from);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return undefined;
}

function nextCron(schedule: CronSchedule, earliestMs: number): number | undefined {
  const earliestMinute = Math.ceil(earliestMs / msPerMinute);
  const firstDay = Math.floor(earliestMinute / minutesPerDay);
  const lastYear = civilDate(Math.floor(earliestMs / msPerMinute / minutesPerDay)).year + searchYears;
  let from = earliestMinute - firstDay * minutesPerDay;
  for (let day = firstDay; ; day += 1) {
    const date = civilDate(day);
    if (date.year > lastYear) return undefined;
    const minute = matchesDay(schedule, date) ? firstMinute(schedule, from) : undefined;
    if (minute !== undefined) return (day * minutesPerDay + minute) * msPerMinute;
    from = 0;
  }
}

/**
 * The first hit after an instant, both in epoch milliseconds, on a whole second. Undefined if there is none
 * until the end of the fifth year ahead, as for 31 February.
 */
export function nextAfter(schedule: Schedule, instantMs: number): number | undefined {
  const second = Math.floor(instantMs / msPerSecond) * msPerSecond;
  if (schedule.kind === 'interval') return second + schedule.everyMs;
  return nextCron(schedule, second + msPerSecond);
}

/** Whether a window of this length that opens at every hit is open now. */
export function isWindowOpen(schedule: Schedule, duration: DurationMs, nowMs: number): boolean {
  const hit = nextAfter(schedule, nowMs - duration);
  return hit !== undefined && hit <= nowMs;
}
