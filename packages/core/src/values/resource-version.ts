/**
 * Whether one version is older than another. Kubernetes writes versions as one growing number for the whole
 * cluster; what is written otherwise cannot be compared and counts as not older.
 */
export function isOlderVersion(version: string, than: string): boolean {
  return isNumber(version) && isNumber(than) && compareDigits(version, than) < 0;
}

function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}

/** Compares as text, because a version may be larger than a number holds exactly. */
function compareDigits(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
