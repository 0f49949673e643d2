import { invalidValue } from '../errors/index.ts';

declare const milliseconds: unique symbol;

/** A span of time in milliseconds. */
export type DurationMs = number & { readonly [milliseconds]: true };

export function durationMs(value: number): DurationMs {
  return value as DurationMs;
}

const nsPerMs = 1_000_000n;

/** Truncates to whole milliseconds, towards zero. */
export function nsToDurationMs(ns: bigint): DurationMs {
  return durationMs(Number(ns / nsPerMs));
}

export function durationMsToNs(duration: DurationMs): bigint {
  const whole = Math.trunc(duration);
  return BigInt(whole) * nsPerMs + BigInt(Math.trunc((duration - whole) * 1e6));
}

const unitNs: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const term = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const shape = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/;
const maxNs = 2n ** 63n - 1n;

/** One number with its unit; fractions of a nanosecond are truncated. */
function termNs(number: string, unit: string): bigint {
  const [whole = '', fraction = ''] = number.split('.');
  const perUnit = unitNs[unit] ?? 0n;
  return BigInt(whole) * perUnit + (BigInt(fraction) * perUnit) / 10n ** BigInt(fraction.length);
}

/** Exact nanoseconds; undefined if the text is not a Go duration or does not fit an int64. */
export function readDuration(text: string): bigint | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  let ns = 0n;
  for (const [, number = '', unit = ''] of text.matchAll(term)) ns += termNs(number, unit);
  const signed = match[1] === '-' ? -ns : ns;
  return signed > maxNs || signed < -maxNs - 1n ? undefined : signed;
}

/**
 * Parses a Go duration (`1h30m`, `1.5s`, `-2ms`, `0`) to exact nanoseconds. Throws a coded error that names
 * `field`.
 */
export function parseDuration(text: string, field = 'duration'): bigint {
  const ns = readDuration(text);
  if (ns !== undefined) return ns;
  throw invalidValue({
    code: 'invalid-duration',
    field,
    value: text,
    expected: 'a duration',
    advice: 'write numbers with units (ns, us, ms, s, m, h) up to 292 years, such as 90s, 1h30m or 720h',
  });
}

function withFraction(ns: bigint, perUnit: bigint): string {
  const digits = String(perUnit).length - 1;
  const fraction = String(ns % perUnit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' || digits === 0 ? `${ns / perUnit}` : `${ns / perUnit}.${fraction}`;
}

function formatBelowSecond(ns: bigint): string {
  if (ns < 1_000n) return `${ns}ns`;
  return ns < 1_000_000n ? `${withFraction(ns, 1_000n)}µs` : `${withFraction(ns, 1_000_000n)}ms`;
}

function formatFromSecond(ns: bigint): string {
  const seconds = withFraction(ns % 60_000_000_000n, 1_000_000_000n);
  const minutes = ns / 60_000_000_000n;
  if (minutes === 0n) return `${seconds}s`;
  return minutes < 60n ? `${minutes}m${seconds}s` : `${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

/** Formats like Go's `Duration.String`: `720h0m0s`, `1.5s`, `0s`. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const size = ns < 0n ? -ns : ns;
  const text = size < 1_000_000_000n ? formatBelowSecond(size) : formatFromSecond(size);
  return ns < 0n ? `-${text}` : text;
}
