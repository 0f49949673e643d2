import type { PackingItem } from './packing-problem.ts';

/** The distinct masks of the items. */
export interface MaskClasses {
  readonly length: number;
  /** Number of words in each mask. */
  readonly width: number;
  readonly words: Uint32Array;
  /** The mask of each item. */
  readonly of: Uint32Array;
}

export function maskClasses(items: readonly PackingItem[]): MaskClasses {
  const width = items.reduce((most, item) => Math.max(most, item.offers.length), 0);
  const masks: Uint32Array[] = [];
  // Items mostly share the array itself, so identity is compared before content.
  const byIdentity = new Map<Uint32Array, number>();
  const byHash = new Map<number, number[]>();
  const of = Uint32Array.from(items, ({ offers }) => {
    const known = byIdentity.get(offers);
    if (known !== undefined) return known;
    const found = findOrAdd(masks, byHash, offers);
    byIdentity.set(offers, found);
    return found;
  });
  const words = new Uint32Array(masks.length * width);
  masks.forEach((mask, index) => {
    words.set(mask, index * width);
  });
  return { length: masks.length, width, words, of };
}

function findOrAdd(masks: Uint32Array[], byHash: Map<number, number[]>, offers: Uint32Array): number {
  const hash = hashWords(offers);
  const bucket = byHash.get(hash) ?? [];
  byHash.set(hash, bucket);
  const found = bucket.find((index) => equalWords(masks[index] ?? offers, offers));
  if (found !== undefined) return found;
  bucket.push(masks.length);
  return masks.push(offers) - 1;
}

/** FNV-1a, by words. Masks with equal hashes are compared. */
function hashWords(words: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193);
  return hash;
}

const equalWords = (a: Uint32Array, b: Uint32Array): boolean =>
  a.length === b.length && a.every((word, index) => word === b[index]);
