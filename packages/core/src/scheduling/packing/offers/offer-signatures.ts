import type { MaskClasses } from '../mask-classes.ts';

/** A signature is the set of masks that allow an offer; most offers share it with many others. */
export interface Signatures {
  /** The signature of each kind of offer. */
  readonly of: Uint32Array;
  /** The masks of each signature, ascending. */
  readonly masks: readonly (readonly number[])[];
  /** By signature, itself and its supersets: offers of those can replace its own. */
  readonly within: readonly (readonly number[])[];
}

/** Finding supersets is quadratic in the number of signatures; with more than this only equal ones count. */
const fewSignatures = 32;

/** Starts with one signature for all kinds of offers and splits it by each mask. */
export function offerSignatures(classes: MaskClasses): Signatures {
  const of = new Uint32Array(32 * classes.width);
  let masks: (readonly number[])[] = [[]];
  for (let mask = 0; mask < classes.length; mask++) masks = split(classes, mask, { of, before: masks });
  return { of, masks, within: supersets(masks) };
}

function split(
  { words, width }: MaskClasses,
  mask: number,
  { of, before }: { readonly of: Uint32Array; readonly before: readonly (readonly number[])[] },
): (readonly number[])[] {
  // Of each signature so far, the new number of those without the mask and of those with it.
  const numbers = new Int32Array(2 * before.length).fill(-1);
  const masks: (readonly number[])[] = [];
  for (let kind = 0; kind < of.length; kind++) {
    const word = kind >>> 5;
    const isAllowed = word < width ? ((words[mask * width + word] ?? 0) >>> (kind & 31)) & 1 : 0;
    const signature = of[kind] ?? 0;
    const at = 2 * signature + isAllowed;
    if ((numbers[at] ?? -1) < 0) {
      const known = before[signature] ?? [];
      numbers[at] = masks.push(isAllowed === 1 ? [...known, mask] : known) - 1;
    }
    of[kind] = numbers[at] ?? 0;
  }
  return masks;
}

function supersets(masks: readonly (readonly number[])[]): number[][] {
  if (masks.length > fewSignatures) return masks.map((_, signature) => [signature]);
  const sets = masks.map((list) => new Set(list));
  return masks.map((list, signature) => {
    const larger = sets.flatMap((set, other) =>
      other !== signature && list.every((mask) => set.has(mask)) ? [other] : [],
    );
    return [signature, ...larger];
  });
}
