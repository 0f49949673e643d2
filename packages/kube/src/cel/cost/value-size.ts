/** Characters of a string, items of a list, entries of a map; 1 for everything else. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  return isPlainObject(value) ? Object.keys(value).length : 1;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const knownSizes = new WeakMap<object, number>();

/** Size of a value including its nested values. Cached: values do not change during an evaluation. */
export function deepSize(value: unknown): number {
  const items = itemsOf(value);
  if (items === undefined || typeof value !== 'object' || value === null) return sizeOf(value);
  const known = knownSizes.get(value);
  if (known !== undefined) return known;
  let size = 1;
  for (const item of items) size += deepSize(item);
  knownSizes.set(value, size);
  return size;
}

/** The values in a container; undefined for any other value. The entries of a map are lists of two. */
function itemsOf(value: unknown): Iterable<unknown> | undefined {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return value;
  return isPlainObject(value) ? Object.entries(value) : undefined;
}
