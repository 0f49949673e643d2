import { type CelDuration, type CelValue, listKeys } from './cel-value.ts';

/**
 * Deep equality as in the API server's CEL: numbers compare across types (1 equals 1.0), and lists of type
 * `set` or `map` compare without regard to order.
 */
export function equalCel(a: CelValue | undefined, b: CelValue | undefined): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return a >= b && a <= b;
  if (a instanceof Map && b instanceof Map) return equalMaps(a, b);
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((item) => b.has(item));
  if (Array.isArray(a) && Array.isArray(b)) return equalLists(a, b);
  return equalMoments(a, b) || equalBytes(a, b);
}

/** Lists of type `map` match items by their keys; other lists by position. */
function equalLists(a: readonly CelValue[], b: readonly CelValue[]): boolean {
  if (a.length !== b.length) return false;
  const keys = listKeys(a);
  if (!keys) return a.every((item, index) => equalCel(item, b[index]));
  return a.every((item) => b.some((other) => sameKeys(keys, item, other) && equalCel(item, other)));
}

function sameKeys(keys: readonly string[], a: CelValue, b: CelValue): boolean {
  return a instanceof Map && b instanceof Map && keys.every((key) => equalCel(a.get(key), b.get(key)));
}

function isNumber(value: CelValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function equalMaps(a: ReadonlyMap<string, CelValue>, b: ReadonlyMap<string, CelValue>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && equalCel(value, b.get(key)));
}

function equalMoments(a: CelValue | undefined, b: CelValue | undefined): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  return isDuration(a) && isDuration(b) && a.seconds === b.seconds && a.nanos === b.nanos;
}

function equalBytes(a: CelValue | undefined, b: CelValue | undefined): boolean {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return false;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function isDuration(value: CelValue | undefined): value is CelDuration {
  return typeof value === 'object' && value !== null && 'nanos' in value;
}
