import { ascendingOrder } from '../../context/sorted-order.ts';
import type { ItemGroups } from '../item-groups.ts';

/**
 * Groups of similar shape and the same rules, the most valuable first. A fill compares the first fitting
 * group of each shelf instead of all groups, which is what makes it fast.
 */
export interface Shelves {
  readonly length: number;
  readonly mask: Uint32Array;
  /** Shelf `i` holds `groups[start[i] … start[i + 1])`. */
  readonly start: Uint32Array;
  readonly groups: Uint32Array;
  /** The size of the first group of each shelf: shelf × resources + resource. */
  readonly firstSize: Float64Array;
  /** The least of each resource that any group of a shelf needs: shelf × resources + resource. */
  readonly smallest: Float64Array;
}

/**
 * Every step of a fill scores all shelves; with more than this, shapes are distinguished less finely. With 48 shelves
 * plans cost up to 3 % more, with 32 up to 7 % (ADR 0007, ADR 0019).
 */
const maxShelves = 72;
/** How finely shapes are distinguished, the finest first; 0 not at all. */
const stepsPerDoubling = [2, 1, 0.5, 0];

/** Divides groups into shelves whenever their worth or units change; shapes are computed once. */
export class Shelving {
  readonly #groups: ItemGroups;
  /** By fineness, the finest first, the shelf of each group. */
  readonly #shelfOf: readonly Uint32Array[];

  /**
   * @param scale room of all offers together, which makes amounts of different resources comparable
   * @param apart by group; groups of equal shape with different numbers get different shelves
   */
  constructor(groups: ItemGroups, scale: Float64Array, apart: Int32Array) {
    this.#groups = groups;
    const coarser = stepsPerDoubling.map((steps) => {
      const known = new Map<string, number>();
      const fineness = { scale, steps };
      return Uint32Array.from({ length: groups.length }, (_, group) => {
        const key = `${groups.mask[group]}|${apart[group]}|${shape(groups, group, fineness)}`;
        const shelf = known.get(key) ?? known.size;
        known.set(key, shelf);
        return shelf;
      });
    });
    this.#shelfOf = [Uint32Array.from({ length: groups.length }, (_, group) => group), ...coarser];
  }

  stack(left: Float64Array, worth: Float64Array): Shelves {
    const present = worthiestFirst(left, worth);
    const fineEnough = this.#shelfOf.find((shelfOf) => shelvesFor(present, shelfOf) <= maxShelves);
    return describe(this.#groups, distribute(present, fineEnough ?? this.#coarsest));
  }

  get #coarsest(): Uint32Array {
    return this.#shelfOf.at(-1) ?? new Uint32Array(0);
  }
}

/** Groups with units left, by falling worth; of equal worth the lower number first. */
function worthiestFirst(left: Float64Array, worth: Float64Array): readonly number[] {
  const present: number[] = [];
  let most = 0;
  for (let group = 0; group < left.length; group++) {
    if ((left[group] ?? 0) <= 0) continue;
    present.push(group);
    most = Math.max(most, worth[group] ?? 0);
  }
  // Sorting numbers in ascending order is faster than sorting with a comparison function (ADR 0011).
  const missing = new Float64Array(present.length);
  for (let i = 0; i < missing.length; i++) missing[i] = most - (worth[present[i] ?? 0] ?? 0);
  return Array.from(ascendingOrder(missing), (i) => present[i] ?? 0);
}

function shelvesFor(present: readonly number[], shelfOf: Uint32Array): number {
  const seen = new Uint8Array(shelfOf.length);
  let shelves = 0;
  for (const group of present) {
    const shelf = shelfOf[group] ?? 0;
    if (seen[shelf] === 1) continue;
    seen[shelf] = 1;
    shelves++;
  }
  return shelves;
}

function distribute(present: readonly number[], shelfOf: Uint32Array): number[][] {
  const shelves: number[][] = [];
  for (const group of present) {
    const shelf = shelfOf[group] ?? 0;
    const known = shelves[shelf];
    if (known) known.push(group);
    else shelves[shelf] = [group];
  }
  return shelves.filter((shelf) => shelf !== undefined);
}

function describe(groups: ItemGroups, shelves: readonly (readonly number[])[]): Shelves {
  const start = new Uint32Array(shelves.length + 1);
  shelves.forEach((shelf, index) => {
    start[index + 1] = (start[index] ?? 0) + shelf.length;
  });
  const { resources, size } = groups;
  const smallest = new Float64Array(shelves.length * resources).fill(Number.POSITIVE_INFINITY);
  const firstSize = new Float64Array(shelves.length * resources);
  shelves.forEach((shelf, index) => {
    const first = (shelf[0] ?? 0) * resources;
    for (let r = 0; r < resources; r++) firstSize[index * resources + r] = size[first + r] ?? 0;
    for (const group of shelf)
      for (let r = 0, at = index * resources; r < resources; r++, at++)
        smallest[at] = Math.min(smallest[at] ?? 0, size[group * resources + r] ?? 0);
  });
  return {
    smallest,
    firstSize,
    length: shelves.length,
    mask: Uint32Array.from(shelves, (shelf) => groups.mask[shelf[0] ?? 0] ?? 0),
    start,
    groups: Uint32Array.from(shelves.flat()),
  };
}

interface Fineness {
  readonly scale: Float64Array;
  /** Steps for each doubling of the proportion. */
  readonly steps: number;
}

/** The proportions of a size, as steps below its largest share of the scale. Shares below 5 % of that are all equal. */
function shape(groups: ItemGroups, group: number, { scale, steps }: Fineness): string {
  if (steps === 0) return '';
  const base = group * groups.resources;
  let largest = 0;
  for (let r = 0; r < groups.resources; r++)
    largest = Math.max(largest, share(groups, base + r, scale[r] ?? 0));
  let key = '';
  for (let r = 0; r < groups.resources; r++) {
    const part = share(groups, base + r, scale[r] ?? 0) / largest;
    key += `${part > 0.05 ? Math.round(-Math.log2(part) * steps) : 'x'},`;
  }
  return key;
}

const share = (groups: ItemGroups, index: number, unit: number): number =>
  unit > 0 ? (groups.size[index] ?? 0) / unit : 0;
