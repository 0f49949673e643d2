/**
 * The indexes of keys in ascending order; of equal keys the lower index first. By merging in plain arrays of
 * numbers: a sort that asks a function to compare spends most of a short plan on calling it.
 */
export function ascendingOrder(keys: Float64Array): Uint32Array {
  let order = Uint32Array.from(keys.keys());
  let merged = new Uint32Array(keys.length);
  for (let width = 1; width < keys.length; width *= 2) {
    for (let start = 0; start < keys.length; start += 2 * width) mergeRuns(keys, order, merged, start, width);
    [order, merged] = [merged, order];
  }
  return order;
}

/** Merges two neighbouring runs of a width, the second of which may be cut short by the end. */
function mergeRuns(
  keys: Float64Array,
  order: Uint32Array,
  merged: Uint32Array,
  start: number,
  width: number,
): void {
  const middle = Math.min(start + width, keys.length);
  const end = Math.min(start + 2 * width, keys.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takesLeft =
      left < middle && (right >= end || (keys[order[left] ?? 0] ?? 0) <= (keys[order[right] ?? 0] ?? 0));
    merged[at] = order[takesLeft ? left++ : right++] ?? 0;
  }
}
