import type { Json } from './json-schema.ts';

// The API server is a Go program and its messages show values as Go prints them. Users compare and grep these
// texts, so we reproduce them exactly.

const namedEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};
const escaped = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu;

function escapedCharacter(character: string): string {
  const named = namedEscapes[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** A string in double quotes, like `%q`. */
export function quoted(text: string): string {
  return `"${text.replace(escaped, escapedCharacter)}"`;
}

/** A float64 like `%v` prints it: with an exponent below 1e-4 and from 1e6 on. */
export function floatText(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

const int64Limit = 2 ** 63;

/** Whether the API server decodes this JSON number as an int64. */
export function isInt64(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= -int64Limit && value < int64Limit;
}

export function numberText(value: number): string {
  return isInt64(value) ? BigInt(value).toString() : floatText(value);
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON like Go's encoder: keys sorted, HTML characters escaped. */
export function jsonText(value: Json): string {
  return JSON.stringify(sortedKeys(value)).replace(/[<>&\u2028\u2029]/g, (c) => htmlEscapes[c] ?? c);
}

function sortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sortedKeys(entry)]),
  );
}

/** A value as error messages show it after `Invalid value: `. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numberText(value);
  return jsonText(value);
}
