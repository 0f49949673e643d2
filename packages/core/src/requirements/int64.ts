/** The integers that Kubernetes and its Go programs can compare: 64 bits, signed. */
export const maxInt64 = 9_223_372_036_854_775_807n;
export const minInt64 = -9_223_372_036_854_775_808n;

const decimal = /^[+-]?[0-9]+$/;

/**
 * Reads a label value as Go's `strconv.Atoi` does: a sign and leading zeros are fine, anything outside 64 bits
 * is not an integer. Exact, because a number beyond 2^53 would compare wrong as a double.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!decimal.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= minInt64 && value <= maxInt64 ? value : undefined;
}
