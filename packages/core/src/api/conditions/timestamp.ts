import { civilDate } from '../../values/index.ts';

/** An API time: RFC 3339 in UTC with whole seconds, such as `2026-11-15T03:31:54Z`. */
export type Timestamp = string;

/** An instant counted from 1970, without leap seconds. */
export interface Moment {
  readonly epochSeconds: number;
  readonly nanoseconds: number;
}

const secondsPerDay = 86_400;
const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Formats milliseconds since 1970 as an API time; truncates to seconds, as the API server does. */
export function formatTimestamp(epochMs: number): Timestamp {
  const seconds = Math.floor(epochMs / 1000);
  const days = Math.floor(seconds / secondsPerDay);
  const { year, month, day } = civilDate(days);
  const time = seconds - days * secondsPerDay;
  const clock = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60].map(twoDigits).join(':');
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T${clock}Z`;
}

/**
 * Parses RFC 3339; undefined if it is not valid. Checks the range of day and month, not the length of the
 * month.
 */
export function parseTimestamp(text: string): Moment | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return undefined;
  const local = epochDay(year, month, day) * secondsPerDay + hour * 3600 + minute * 60 + second;
  return {
    epochSeconds: local - offsetSeconds(match[8], match[9], match[10]),
    nanoseconds: Number((match[7] ?? '').padEnd(9, '0')),
  };
}

/** RFC 3339 in milliseconds since 1970; undefined if it is not valid. */
export function timestampMs(text: Timestamp | null | undefined): number | undefined {
  const moment = parseTimestamp(text ?? '');
  return moment === undefined ? undefined : moment.epochSeconds * 1000 + moment.nanoseconds / 1e6;
}

/** Negative if `a` is earlier than `b`. Invalid timestamps sort before all others. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  const first = parseTimestamp(a);
  const second = parseTimestamp(b);
  if (first === undefined || second === undefined) {
    return Number(first !== undefined) - Number(second !== undefined);
  }
  return first.epochSeconds - second.epochSeconds || first.nanoseconds - second.nanoseconds;
}

function offsetSeconds(sign: string | undefined, hours = '0', minutes = '0'): number {
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -size : size;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * The inverse of `civilDate`. Years start in March, so that the leap day comes last and one formula gives the
 * lengths of the months before it; 400 such years (an era) always have 146,097 days.
 */
function epochDay(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const daysBeforeYear = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return era * 146_097 + daysBeforeYear + dayOfYear - daysFromMarchOfYearZero;
}

const daysFromMarchOfYearZero = 719_468;
