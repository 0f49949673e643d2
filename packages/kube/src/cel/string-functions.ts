import type { Environment } from '@marcbachmann/cel-js';
import { compilePattern, type Re2Pattern } from '../patterns/index.ts';
import { callCost, spend } from './cost/index.ts';
import { conversionFailure, RuleFailure } from './rule-failure.ts';

/**
 * Functions of the CEL library that differ from the API server's, mapped to the names of our replacements.
 * The library does not allow redefining its own functions, so `readRule` renames the calls.
 */
export const renamedFunctions: ReadonlyMap<string, string> = new Map(
  [
    'charAt',
    'indexOf',
    'int',
    'join',
    'lastIndexOf',
    'lowerAscii',
    'matches',
    'replace',
    'split',
    'substring',
    'trim',
    'upperAscii',
  ].map((name) => [name, `k8s_${name}`]),
);

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

function intOfString(text: string): bigint {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < int64.min || value > int64.max) throw conversionFailure('string', 'int');
  return value;
}

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new RuleFailure('integer overflow');
  return BigInt(Math.trunc(value));
}

/** Regular expression steps that take as long as one unit of cost. */
const stepsPerUnit = 5;

/**
 * Runs a match and charges its worst case if that is higher than kube-apiserver's cost. kube-apiserver counts the
 * characters of the expression, but `[ab]{900}` has few characters and many instructions.
 */
function matched<T>(text: string, expression: string, match: (pattern: Re2Pattern) => T): T {
  const pattern = patternOf(expression);
  const counted = callCost('matches', [text.length, expression.length]);
  spend(Math.max(0, Math.ceil(pattern.stepsFor(text) / stepsPerUnit) - counted));
  return match(pattern);
}

function patternOf(expression: string): Re2Pattern {
  try {
    return compilePattern(expression);
  } catch (error) {
    throw new RuleFailure(error instanceof Error ? error.message : String(error));
  }
}

function findAll(text: string, pattern: string, limit = -1n): string[] {
  return matched(text, pattern, (compiled) => compiled.findAll(text, Number(limit)));
}

function asciiCase(text: string, pattern: RegExp, turn: (letter: string) => string): string {
  return text.replace(pattern, turn);
}

function characterIndex(at: bigint, limit: number): number {
  if (at < 0n || at > BigInt(limit)) throw new RuleFailure(`index out of range: ${at}`);
  return Number(at);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = charactersOf(text);
  const to = end === undefined ? characters.length : characterIndex(end, characters.length);
  const from = characterIndex(start, characters.length);
  if (from > to) throw new RuleFailure(`invalid substring range. start: ${from}, end: ${to}`);
  const part = characters.slice(from, to);
  return typeof part === 'string' ? part : part.join('');
}

/** Splits a text into characters. Texts without surrogate pairs, which most are, need no array. */
function charactersOf(text: string): string | readonly string[] {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}

function positionOf(text: string, part: string, from: bigint | undefined, last: boolean): bigint {
  const characters = charactersOf(text);
  const given = from === undefined ? undefined : characterIndex(from, characters.length);
  const before = characters.slice(0, given ?? 0);
  const start = typeof before === 'string' ? before.length : before.join('').length;
  const found = last
    ? text.lastIndexOf(part, given === undefined ? text.length : start)
    : text.indexOf(part, start);
  return BigInt(found < 0 ? -1 : charactersOf(text.slice(0, found)).length);
}

function split(text: string, separator: string, limit = -1n): string[] {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || parts.length <= limit) return parts;
  if (limit === 0n) return [];
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function replace(text: string, from: string, to: string, limit = -1n): string {
  let left = limit;
  return text.replaceAll(from, () => {
    left -= 1n;
    return limit < 0n || left >= 0n ? to : from;
  });
}

/**
 * Registers strings and conversions as cel-go and Kubernetes
 * define them: positions count characters, not code units.
 */
export function registerStringFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  add('k8s_int(string): int', intOfString);
  add('k8s_int(double): int', intOfDouble);
  add('k8s_int(int): int', (value: bigint) => value);
  add('k8s_int(uint): int', (value: { readonly value: bigint }) => value.value);
  add('k8s_int(google.protobuf.Timestamp): int', (at: Date) => BigInt(Math.floor(at.getTime() / 1000)));
  add('string.k8s_matches(string): bool', (text: string, pattern: string) =>
    matched(text, pattern, (compiled) => compiled.test(text)),
  );
  add('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '');
  add('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern));
  add('string.findAll(string, int): list<string>', findAll);
  add('string.k8s_split(string): list<string>', (text: string, separator: string) => split(text, separator));
  add('string.k8s_split(string, int): list<string>', split);
  add('string.k8s_trim(): string', (text: string) => text.trim());
  add('string.k8s_lowerAscii(): string', (text: string) => asciiCase(text, /[A-Z]/g, (c) => c.toLowerCase()));
  add('string.k8s_upperAscii(): string', (text: string) => asciiCase(text, /[a-z]/g, (c) => c.toUpperCase()));
  add('string.k8s_charAt(int): string', (text: string, at: bigint) => {
    const characters = charactersOf(text);
    return characters[characterIndex(at, characters.length)] ?? '';
  });
  add('string.k8s_substring(int): string', (text: string, start: bigint) => substring(text, start));
  add('string.k8s_substring(int, int): string', substring);
  add('string.k8s_replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, from, to),
  );
  add('string.k8s_replace(string, string, int): string', replace);
  registerPositions(add);
}

function registerPositions(add: (signature: string, handler: (...values: never[]) => unknown) => void): void {
  for (const [name, last] of [
    ['k8s_indexOf', false],
    ['k8s_lastIndexOf', true],
  ] as const) {
    add(`string.${name}(string): int`, (text: string, part: string) =>
      positionOf(text, part, undefined, last),
    );
    add(`string.${name}(string, int): int`, (text: string, part: string, from: bigint) =>
      positionOf(text, part, from, last),
    );
  }
}
