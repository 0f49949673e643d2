import type { ItemGroups } from '../item-groups.ts';
import type { Shelves } from './shelves.ts';

/** The contents of one node: `length` groups with their units. The next fill overwrites it, which saves allocations. */
export interface Fill {
  value: number;
  length: number;
  readonly group: Int32Array;
  readonly units: Float64Array;
}

/**
 * How the next group is chosen: by the sum of its shares of the remaining resources, or by the largest share.
 */
type FillRule = 'sum' | 'largest';

export interface FillRequest {
  readonly room: Float64Array;
  /** Where the room of this node starts in `room`. */
  readonly at: number;
  /** From `allowsAt`, 1 for each mask that allows the offer of the node. */
  readonly allows: Uint8Array;
  readonly allowsAt: number;
  readonly left: Float64Array;
  readonly worth: Float64Array;
  readonly rule: FillRule;
  /** In how many portions the fitting units of a group are added, so that other groups can balance them. */
  readonly portions: number;
}

/** For `#setHead`, which reads infinite amounts from the empty list, so that a group without units left never fits. */
const usedUp = new Float64Array(0);

/**
 * Fills one node with units of high worth. Each step adds the group with the most worth for its share of the remaining
 * resources, so that resources run out together. Scores only the first fitting group of each shelf and never goes back,
 * which makes it fast: a group that does not fit now does not fit later on the same node.
 */
export class Filler {
  readonly fill: Fill;
  readonly #groups: ItemGroups;
  /** 1 for groups with a cap or conflict. */
  readonly #constrained: Uint8Array;
  readonly #rest: Float64Array;
  readonly #inverse: Float64Array;
  readonly #taken: Float64Array;
  readonly #capLeft: Float64Array;
  /** By group, the fill in which a conflict excludes it. */
  readonly #blocked: Uint32Array;
  /** Counts fills, so that `#blocked` need not be cleared. */
  #generation = 0;
  /** The shelves that may still have a fitting group, in their order; the first `#opened` entries count. */
  #open = new Int32Array(0);
  #opened = 0;
  /** By shelf, where its first fitting group is, that group, and its size. */
  #head = new Int32Array(0);
  #headGroup = new Int32Array(0);
  #headSize = new Float64Array(0);

  constructor(groups: ItemGroups) {
    this.#groups = groups;
    this.fill = {
      value: 0,
      length: 0,
      group: new Int32Array(groups.length),
      units: new Float64Array(groups.length),
    };
    this.#constrained = Uint8Array.from({ length: groups.length }, (_, group) =>
      groups.caps.start[group] !== groups.caps.start[group + 1] ||
      groups.conflicts.start[group] !== groups.conflicts.start[group + 1]
        ? 1
        : 0,
    );
    this.#rest = new Float64Array(groups.resources);
    this.#inverse = new Float64Array(groups.resources);
    this.#taken = new Float64Array(groups.length);
    this.#capLeft = Float64Array.from(groups.capMost);
    this.#blocked = new Uint32Array(groups.length);
  }

  run(request: FillRequest, shelves: Shelves): Fill {
    const { fill } = this;
    fill.value = 0;
    fill.length = 0;
    this.#generation++;
    for (let r = 0; r < this.#rest.length; r++) this.#rest[r] = request.room[request.at + r] ?? 0;
    this.#openShelves(request, shelves);
    for (;;) {
      this.#weigh();
      const shelf = this.#best(request, shelves);
      if (shelf < 0) break;
      const group = this.#headGroup[shelf] ?? 0;
      this.#take(group, this.#portion(group, request), request.worth);
      if (!this.#isLeft(group, request)) this.#setHead(shelf, usedUp);
    }
    this.#reset();
    return fill;
  }

  /** Lists the shelves whose groups the offer allows, each with its first group. */
  #openShelves(request: FillRequest, { length, mask, start, groups, firstSize }: Shelves): void {
    const { allows, allowsAt } = request;
    if (this.#open.length < length) {
      this.#open = new Int32Array(length);
      this.#head = new Int32Array(length + 1);
      this.#headGroup = new Int32Array(length);
      this.#headSize = new Float64Array(length * this.#rest.length);
    }
    this.#head.set(start);
    this.#headSize.set(firstSize);
    let opened = 0;
    for (let shelf = 0; shelf < length; shelf++) {
      if (allows[allowsAt + (mask[shelf] ?? 0)] !== 1) continue;
      const group = groups[start[shelf] ?? 0] ?? 0;
      this.#open[opened++] = shelf;
      this.#headGroup[shelf] = group;
      if (!this.#isLeft(group, request)) this.#setHead(shelf, usedUp);
    }
    this.#opened = opened;
  }

  #weigh(): void {
    for (let r = 0; r < this.#rest.length; r++) {
      const rest = this.#rest[r] ?? 0;
      this.#inverse[r] = rest > 0 ? 1 / rest : 0;
    }
  }

  /**
   * The shelf whose first fitting group has the most worth for its cost, or −1 if none fits. Closes shelves
   * without a fitting group. Scores every open shelf again, which is cheaper than a heap: there are tens of
   * them, and few groups on a node. A plan computes hundreds of thousands of scores, so the loop reads no field
   * where a group fits.
   */
  #best(request: FillRequest, shelves: Shelves): number {
    const { worth, rule } = request;
    const open = this.#open;
    const head = this.#headGroup;
    const size = this.#headSize;
    const constrained = this.#constrained;
    const opened = this.#opened;
    const remaining = { rest: this.#rest, inverse: this.#inverse };
    let best = -1;
    let most = -1;
    let kept = 0;
    for (let i = 0; i < opened; i++) {
      const shelf = open[i] ?? 0;
      const group = head[shelf] ?? 0;
      const cost = costOf(size, shelf, remaining, rule);
      if (cost < 0 || (constrained[group] === 1 && !this.#permits(group))) {
        // The next iteration scores the next group of the same shelf.
        if (this.#advance(shelf, request, shelves)) i--;
        continue;
      }
      open[kept++] = shelf;
      const score = cost > 0 ? (worth[group] ?? 0) / cost : Number.POSITIVE_INFINITY;
      // Ties go to the shelf with the lower number, so that fills are deterministic.
      if (score <= most) continue;
      most = score;
      best = shelf;
    }
    this.#opened = kept;
    return best;
  }

  /** Sets the next group of a shelf that fits; returns whether there is one. */
  #advance(shelf: number, request: FillRequest, { start, groups, smallest }: Shelves): boolean {
    if (!this.#hasRoom(smallest, shelf)) return false;
    const end = start[shelf + 1] ?? 0;
    for (let at = (this.#head[shelf] ?? 0) + 1; at < end; at++) {
      const group = groups[at] ?? 0;
      if (!this.#hasRoom(this.#groups.size, group) || !this.#isLeft(group, request)) continue;
      if (this.#constrained[group] === 1 && !this.#permits(group)) continue;
      this.#head[shelf] = at;
      this.#headGroup[shelf] = group;
      this.#setHead(shelf, this.#groups.size, group);
      return true;
    }
    return false;
  }

  /** Sets the size of a shelf's first group to an entry of a list of sizes. */
  #setHead(shelf: number, sizes: Float64Array, entry = 0): void {
    const resources = this.#rest.length;
    for (let r = 0; r < resources; r++)
      this.#headSize[shelf * resources + r] = sizes[entry * resources + r] ?? Number.POSITIVE_INFINITY;
  }

  /** Whether an entry of a list of sizes fits into the remaining resources. */
  #hasRoom(sizes: Float64Array, entry: number): boolean {
    const rest = this.#rest;
    const resources = rest.length;
    for (let r = 0, at = entry * resources; r < resources; r++, at++)
      if ((sizes[at] ?? 0) > (rest[r] ?? 0)) return false;
    return true;
  }

  #isLeft(group: number, { left }: FillRequest): boolean {
    return (left[group] ?? 0) > (this.#taken[group] ?? 0);
  }

  #permits(group: number): boolean {
    const { caps } = this.#groups;
    if (this.#blocked[group] === this.#generation) return false;
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++)
      if ((this.#capLeft[caps.entries[c] ?? 0] ?? 0) < 1) return false;
    return true;
  }

  /** How many units to add at once: a part of what fits, as long as other shelves can balance it. */
  #portion(group: number, { left, portions }: FillRequest): number {
    const most = this.#most(group, left);
    return this.#opened === 1 ? most : Math.ceil(most / portions);
  }

  #most(group: number, left: Float64Array): number {
    const { size, caps } = this.#groups;
    const resources = this.#rest.length;
    const base = group * resources;
    let most = (left[group] ?? 0) - (this.#taken[group] ?? 0);
    for (let r = 0; r < resources; r++) {
      const each = size[base + r] ?? 0;
      if (each > 0) most = Math.min(most, wholeTimes(this.#rest[r] ?? 0, each));
    }
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++)
      most = Math.min(most, Math.floor(this.#capLeft[caps.entries[c] ?? 0] ?? 0));
    return most;
  }

  #take(group: number, units: number, worth: Float64Array): void {
    const { size, caps, conflicts } = this.#groups;
    const resources = this.#rest.length;
    const base = group * resources;
    for (let r = 0; r < resources; r++) this.#rest[r] = (this.#rest[r] ?? 0) - units * (size[base + r] ?? 0);
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
      const cap = caps.entries[c] ?? 0;
      this.#capLeft[cap] = (this.#capLeft[cap] ?? 0) - units;
    }
    for (let c = conflicts.start[group] ?? 0; c < (conflicts.start[group + 1] ?? 0); c++)
      this.#blocked[conflicts.entries[c] ?? 0] = this.#generation;
    if (this.#taken[group] === 0) this.fill.group[this.fill.length++] = group;
    this.#taken[group] = (this.#taken[group] ?? 0) + units;
    this.fill.value += units * (worth[group] ?? 0);
  }

  /** Moves the counts into the fill and resets only the array entries that were used. */
  #reset(): void {
    const { caps, capMost } = this.#groups;
    for (let i = 0; i < this.fill.length; i++) {
      const group = this.fill.group[i] ?? 0;
      this.fill.units[i] = this.#taken[group] ?? 0;
      this.#taken[group] = 0;
      for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
        const cap = caps.entries[c] ?? 0;
        this.#capLeft[cap] = capMost[cap] ?? 0;
      }
    }
  }
}

interface Remaining {
  readonly rest: Float64Array;
  readonly inverse: Float64Array;
}

/** The share of the remaining resources that an entry of a list of sizes takes; −1 if it does not fit. */
function costOf(size: Float64Array, entry: number, { rest, inverse }: Remaining, rule: FillRule): number {
  const resources = rest.length;
  let total = 0;
  let largest = 0;
  for (let r = 0, at = entry * resources; r < resources; r++, at++) {
    const each = size[at] ?? 0;
    if (each > (rest[r] ?? 0)) return -1;
    const share = each * (inverse[r] ?? 0);
    total += share;
    if (share > largest) largest = share;
  }
  return rule === 'sum' ? total : largest;
}

/** How often `each` fits into `room`; corrects a quotient that was rounded up. */
export function wholeTimes(room: number, each: number): number {
  const times = Math.floor(room / each);
  return times * each > room ? times - 1 : times;
}
