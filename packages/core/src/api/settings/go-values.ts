// Parsers for what Go's strconv accepts, since users know these settings from a Go program.

const decimal = /^[+-]?\d+$/;
const prefixed = /^([+-]?)(0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][\d_]*)$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A decimal integer, for environment variables. */
export function readDecimalInteger(text: string): number | undefined {
  return decimal.test(text) ? safe(Number(text)) : undefined;
}

/** An integer as Go's flags accept it: also `0x1f`, `0b11`, `0o17`, `017` and `1_000`. */
export function readInteger(text: string): number | undefined {
  const match = prefixed.exec(text);
  if (match === null || hasStrayUnderscore(text)) return undefined;
  const digits = (match[2] ?? '').replaceAll('_', '');
  const size = Number(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits);
  return safe(match[1] === '-' ? -size : size);
}

/** A finite decimal number; unlike Go, rejects infinities and NaN. */
export function readNumber(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseTexts: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

export function readBoolean(text: string): boolean | undefined {
  if (trueTexts.has(text)) return true;
  return falseTexts.has(text) ? false : undefined;
}

function hasStrayUnderscore(text: string): boolean {
  return text.includes('__') || text.endsWith('_');
}

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}
