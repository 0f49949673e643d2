/** The range of integers that Kubernetes and other Go programs compare. */
export const maxInt64 = 9_223_372_036_854_775_807n;
export const minInt64 = -9_223_372_036_854_775_808n;

const decimal = /^[+-]?[0-9]+$/;

/**
 * Parses a label value like Go's `strconv.Atoi`: a sign and leading zeros are allowed, and anything outside
 * 64 bits is not an integer. Returns a bigint because values beyond 2^53 would compare wrong as doubles.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!decimal.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= minInt64 && value <= maxInt64 ? value : undefined;
}
