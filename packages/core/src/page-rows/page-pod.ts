import type { PodRow } from '../cluster-view/index.ts';
import type { PagePod } from '../page-api/index.ts';

/** The last moment that a Date can hold. */
const endOfTime = 8.64e15;

/** JSON has no infinity and would send `null`, which compares as 1970: protection without an end lasts to `endOfTime`. */
export function pagePod(row: PodRow): PagePod {
  const { fargateSize: _size, protectedUntil, ...shown } = row;
  if (protectedUntil === undefined) return shown;
  return { ...shown, protectedUntil: Math.min(protectedUntil, endOfTime) };
}
