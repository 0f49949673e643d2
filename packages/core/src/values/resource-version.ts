/**
 * Whether one resourceVersion is older than another. Kubernetes uses one growing number per cluster; other
 * formats are not comparable and count as not older.
 */
export function isOlderVersion(version: string, than: string): boolean {
  return isNumber(version) && isNumber(than) && compareDigits(version, than) < 0;
}

function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}

/** Compares as text, because a version may exceed the exact range of a double. */
function compareDigits(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
