import type { Json } from '@karpenter/core/schema';

// Plain scalars are interpreted like the YAML library of kubectl and kube-apiserver: YAML 1.1, with `yes` and
// `on` as booleans, but without base 60 numbers, and with times as strings.

const words = new Map<string, Json>([
  ['', null],
  ['~', null],
  ...spellings('null').map((word) => [word, null] as const),
  ...['y', 'yes', 'on', 'true'].flatMap(spellings).map((word) => [word, true] as const),
  ...['n', 'no', 'off', 'false'].flatMap(spellings).map((word) => [word, false] as const),
  ...['.inf', '+.inf', '-.inf']
    .flatMap(spellings)
    .map((word) => [word, word.startsWith('-') ? -Infinity : Infinity] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
]);

/** Lower case, capitalized and upper case. */
function spellings(word: string): readonly string[] {
  const first = word.search(/[a-z]/);
  const capitalised = word.slice(0, first) + word.charAt(first).toUpperCase() + word.slice(first + 1);
  return [...new Set([word, capitalised, word.toUpperCase()])];
}

const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const integers: readonly (readonly [RegExp, number])[] = [
  [/^([-+]?)0b([01]+)$/, 2],
  [/^([-+]?)0o?([0-7]+)$/, 8],
  [/^([-+]?)0x([0-9a-fA-F]+)$/i, 16],
];

/** The value of a plain scalar, which may be a number that JSON cannot represent. */
export function plainScalar(text: string): Json {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  const digits = text.replaceAll('_', '');
  for (const [pattern, radix] of integers) {
    const [, sign, magnitude] = pattern.exec(digits) ?? [];
    if (magnitude !== undefined) return Number.parseInt(`${sign}${magnitude}`, radix);
  }
  return float.test(digits) ? Number(digits) : text;
}
