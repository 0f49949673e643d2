import { invalidValue } from '../errors/index.ts';
import { durationMs, readDuration } from './duration.ts';
import type { CronSchedule, Schedule } from './schedule.ts';

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for `min`, `min + 1` and so on. */
  readonly names: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const minuteRule: FieldRule = { name: 'minute', min: 0, max: 59, names: [] };
const hourRule: FieldRule = { name: 'hour', min: 0, max: 23, names: [] };
const dayOfMonthRule: FieldRule = { name: 'day of month', min: 1, max: 31, names: [] };
const monthRule: FieldRule = { name: 'month', min: 1, max: 12, names: monthNames };
const dayOfWeekRule: FieldRule = { name: 'day of week', min: 0, max: 6, names: weekdayNames };

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const generalAdvice =
  'write minute, hour, day of month, month and day of week in UTC, such as "0 9 * * mon-fri", or @hourly, @daily, @weekly, @monthly, @yearly or "@every 1h"';

interface FieldRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Every value, written `*` or `?`. With a step it is no star: it restricts the field like a list. */
  readonly isStar: boolean;
}

function parseNumber(text: string): number | undefined {
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

function parseValue(text: string, rule: FieldRule): number | undefined {
  const index = rule.names.indexOf(text.toLowerCase());
  return index >= 0 ? rule.min + index : parseNumber(text);
}

function parseBounds(text: string, rule: FieldRule, hasStep: boolean): readonly (number | undefined)[] {
  const [first = '', last, ...rest] = text.split('-');
  if (first === '*' || first === '?') return [rule.min, rule.max];
  if (rest.length > 0) return [];
  const from = parseValue(first, rule);
  if (last !== undefined) return [from, parseValue(last, rule)];
  return [from, hasStep ? rule.max : from];
}

function parseRange(text: string, rule: FieldRule): FieldRange | undefined {
  const [bounds = '', stepText, ...rest] = text.split('/');
  const [from, to] = parseBounds(bounds, rule, stepText !== undefined);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (from === undefined || to === undefined || !step || rest.length > 0) return undefined;
  if (from < rule.min || to > rule.max || from > to) return undefined;
  return { from, to, step, isStar: /^[*?]/.test(bounds) && step === 1 };
}

interface Field {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

function parseField(text: string, rule: FieldRule): Field | undefined {
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',').filter((item) => item !== '')) {
    const range = parseRange(part, rule);
    if (range === undefined) return undefined;
    isStar ||= range.isStar;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return { values, isStar };
}

function invalidSchedule(field: string, value: string, advice: string): Error {
  return invalidValue({ code: 'invalid-schedule', field, value, expected: 'a cron schedule', advice });
}

function fieldAdvice(text: string, { name, min, max, names }: FieldRule): string {
  const words = names.length > 0 ? ` or ${names.at(0)}-${names.at(-1)}` : '';
  return `its ${name} ${JSON.stringify(text)} must be *, values ${min}-${max}${words}, ranges, or either with a /step`;
}

const ascending = (values: ReadonlySet<number>): readonly number[] => [...values].sort((a, b) => a - b);

function parseCron(cron: string, text: string, field: string): CronSchedule {
  const parts = cron.split(/\s+/);
  if (parts.length !== 5) throw invalidSchedule(field, text, generalAdvice);
  const read = (index: number, rule: FieldRule): Field => {
    const part = parts[index] ?? '';
    const parsed = parseField(part, rule);
    if (parsed === undefined) throw invalidSchedule(field, text, fieldAdvice(part, rule));
    return parsed;
  };
  const minutes = read(0, minuteRule);
  const hours = read(1, hourRule);
  const daysOfMonth = read(2, dayOfMonthRule);
  const months = read(3, monthRule);
  const daysOfWeek = read(4, dayOfWeekRule);
  return {
    kind: 'cron',
    minutes: ascending(minutes.values),
    hours: ascending(hours.values),
    daysOfMonth: daysOfMonth.values,
    months: months.values,
    daysOfWeek: daysOfWeek.values,
    needsBothDays: daysOfMonth.isStar || daysOfWeek.isStar,
  };
}

/** Whole seconds, at least one. */
function parseInterval(interval: string, text: string, field: string): Schedule {
  const ns = readDuration(interval);
  if (ns === undefined)
    throw invalidSchedule(field, text, 'write a duration after @every, such as "@every 1h"');
  const seconds = Math.max(1, Number(ns / 1_000_000_000n));
  return { kind: 'interval', everyMs: durationMs(seconds * 1000) };
}

/**
 * Parses the cron dialect of Karpenter's budgets: five fields or a descriptor, always UTC. A `TZ=` prefix
 * counts as one field too many, and days of the week end at 6.
 */
export function parseSchedule(text: string, field = 'schedule'): Schedule {
  const trimmed = text.trim();
  if (trimmed.startsWith('@every ')) return parseInterval(trimmed.slice('@every '.length), text, field);
  return parseCron(descriptors.get(trimmed) ?? trimmed, text, field);
}
