/**
 * The indexes of keys in ascending order; of equal keys the lower index first. The engine sorts plain numbers
 * many times faster than it can ask a function to compare: so key and index are put into one number each, as
 * finely as fits, and the few neighbours that this cannot tell apart are put right after.
 */
export function ascendingOrder(keys: Float64Array): Uint32Array {
  const { length } = keys;
  const packed = new Float64Array(length);
  const most = Math.floor(2 ** 52 / length) - 1;
  // Prices are below a few hundred dollars an hour; what is beyond this is put in order one by one.
  const scale = most / 2 ** 10;
  for (let i = 0; i < length; i++) {
    const step = Math.floor((keys[i] ?? 0) * scale);
    packed[i] = Math.max(0, Math.min(step, most)) * length + i;
  }
  packed.sort();
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) settle(keys, order, i, (packed[i] ?? 0) % length);
  return order;
}

/** Insertion sort: hardly anything is out of place. */
function settle(keys: Float64Array, order: Uint32Array, place: number, index: number): void {
  const key = keys[index] ?? 0;
  let at = place;
  for (; at > 0; at--) {
    const before = order[at - 1] ?? 0;
    const difference = (keys[before] ?? 0) - key;
    if (!(difference > 0 || (difference === 0 && before > index))) break;
    order[at] = before;
  }
  order[at] = index;
}
