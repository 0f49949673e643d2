import { createHash } from 'node:crypto';
import { goDate } from './go-date.ts';
import type { TemplateFunction } from './go-functions.ts';
import { type GoValue, isList, isMap, isTrue, jsonOf, printed } from './go-value.ts';
import { templateError } from './template-error.ts';

const text = (value: GoValue | undefined): string =>
  value === undefined || value === null ? '' : printed(value);
const number = (value: GoValue | undefined): number => Number(value ?? 0) || 0;
const list = (value: GoValue | undefined): readonly GoValue[] => {
  if (value !== undefined && isList(value)) return value;
  throw templateError(`${text(value)} is not a list`);
};
const map = (value: GoValue | undefined): ReadonlyMap<string, GoValue> => {
  if (value !== undefined && isMap(value)) return value;
  throw templateError(`${text(value)} is not a map`);
};
const capitalized = (words: string): string => words.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
const indented = (spaces: number, lines: string): string => lines.replace(/^/gm, ' '.repeat(spaces));
const isPresent = (value: GoValue | undefined): boolean => value !== undefined && isTrue(value);
/** A negative length keeps the end of the text. */
const truncated = (length: number, words: string): string =>
  length < 0 ? words.slice(length) : words.slice(0, length);

const textFunctions: Readonly<Record<string, TemplateFunction>> = {
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  title: (value) => capitalized(text(value)),
  trim: (value) => text(value).trim(),
  trimAll: (signs, value) => trimmedOf(text(value), text(signs)),
  trimPrefix: (prefix, value) => {
    return text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value);
  },
  trimSuffix: (suffix, value) => {
    return text(value).endsWith(text(suffix)) && text(suffix) !== ''
      ? text(value).slice(0, -text(suffix).length)
      : text(value);
  },
  trunc: (length, value) => truncated(number(length), text(value)),
  abbrev: (width, value) => {
    return text(value).length > number(width)
      ? `${text(value).slice(0, Math.max(0, number(width) - 3))}...`
      : text(value);
  },
  nospace: (value) => text(value).replace(/\s/g, ''),
  replace: (from, to, value) => text(value).replaceAll(text(from), text(to)),
  repeat: (times, value) => text(value).repeat(Math.min(1000, Math.max(0, number(times)))),
  indent: (spaces, value) => indented(number(spaces), text(value)),
  nindent: (spaces, value) => `\n${indented(number(spaces), text(value))}`,
  quote: (...values) =>
    values
      .filter((each) => each !== null)
      .map((each) => JSON.stringify(printed(each)))
      .join(' '),
  squote: (...values) =>
    values
      .filter((each) => each !== null)
      .map((each) => `'${printed(each)}'`)
      .join(' '),
  cat: (...values) => values.map(printed).join(' '),
  contains: (part, value) => text(value).includes(text(part)),
  hasPrefix: (prefix, value) => text(value).startsWith(text(prefix)),
  hasSuffix: (suffix, value) => text(value).endsWith(text(suffix)),
  toString: (value: GoValue | undefined) => text(value),
  b64enc: (value) => Buffer.from(text(value)).toString('base64'),
  b64dec: (value) => Buffer.from(text(value), 'base64').toString('utf8'),
  sha256sum: (value) => createHash('sha256').update(text(value)).digest('hex'),
};

const dataFunctions: Readonly<Record<string, TemplateFunction>> = {
  default: (fallback, value) => (isPresent(value) ? (value ?? null) : (fallback ?? null)),
  empty: (value) => !isPresent(value),
  coalesce: (...values) => values.find(isPresent) ?? null,
  ternary: (yes, no, condition) => (isPresent(condition) ? (yes ?? null) : (no ?? null)),
  toJson: (value) => JSON.stringify(jsonOf(value ?? null)),
  toPrettyJson: (value) => JSON.stringify(jsonOf(value ?? null), undefined, 2),
  join: (separator, values) => list(values).map(printed).join(text(separator)),
  splitList: (separator, value) => text(value).split(text(separator)),
  list: (...values) => values,
  first: (values) => list(values)[0] ?? null,
  last: (values) => list(values).at(-1) ?? null,
  has: (value, values) => list(values).includes(value ?? null),
  uniq: (values) => [...new Set(list(values))],
  sortAlpha: (values) => list(values).map(printed).toSorted(),
  dict: (...pairs) =>
    new Map(pairs.flatMap((key, at) => (at % 2 === 0 ? [[printed(key), pairs[at + 1] ?? '']] : []))),
  get: (values, key) => map(values).get(text(key)) ?? '',
  hasKey: (values, key) => map(values).has(text(key)),
  keys: (values) => [...map(values).keys()].toSorted(),
  int: (value) => Math.trunc(number(value)),
  add: (...values) => values.reduce<number>((sum, each) => sum + number(each), 0),
  sub: (a, b) => number(a) - number(b),
  date: (layout, time) => {
    if (time instanceof Date) return goDate(text(layout), time);
    throw templateError(`${text(time)} is not a time`);
  },
  unixEpoch: (time) => (time instanceof Date ? String(Math.floor(time.getTime() / 1000)) : ''),
};

/** The functions of Sprig that notifications use. */
export const sprigFunctions: Readonly<Record<string, TemplateFunction>> = {
  ...textFunctions,
  ...dataFunctions,
};

function trimmedOf(words: string, signs: string): string {
  let [start, end] = [0, words.length];
  while (start < end && signs.includes(words.charAt(start))) start += 1;
  while (end > start && signs.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(start, end);
}
