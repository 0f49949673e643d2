/**
 * The indexes of keys in ascending order; of equal keys the lower index first. Engines sort plain numbers
 * many times faster than with a comparison function. So key and index are packed into one number each, with
 * as many bits of the key as fit, and the few neighbours whose packed keys are equal are put in order
 * afterwards.
 */
export function ascendingOrder(keys: Float64Array): Uint32Array {
  const { length } = keys;
  const packed = new Float64Array(length);
  // Packed numbers stay below 2^52, so that doubles hold them exactly.
  const most = Math.floor(2 ** 52 / length) - 1;
  // Prices are below a few hundred dollars an hour; keys beyond 2^10 are left to the insertion sort.
  const scale = most / 2 ** 10;
  for (let i = 0; i < length; i++) {
    const step = Math.floor((keys[i] ?? 0) * scale);
    packed[i] = Math.max(0, Math.min(step, most)) * length + i;
  }
  packed.sort();
  const order = new Uint32Array(length);
  const sorted = { keys, order };
  for (let i = 0; i < length; i++) insert(sorted, i, (packed[i] ?? 0) % length);
  return order;
}

interface Sorted {
  readonly keys: Float64Array;
  readonly order: Uint32Array;
}

/** Insertion sort, which is fast because hardly anything is out of place. */
function insert({ keys, order }: Sorted, place: number, index: number): void {
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
