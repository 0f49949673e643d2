import type { ItemGroups } from './item-groups.ts';
import type { Shelves } from './shelves.ts';

/**
 * The contents of one node: `length` groups with their units. The next fill overwrites it, which saves
 * allocations.
 */
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

/**
 * Fills one node with a mix of high worth: always adds the group with the most worth for its share of the
 * remaining resources, so that resources run out together. Compares only the first fitting group of each
 * shelf, which makes it fast: a group that does not fit once never fits later in the same node.
 */
export class Filler {
  readonly fill: Fill;
  readonly #groups: ItemGroups;
  readonly #size: Float64Array;
  /** 1 for groups with a cap or conflict. */
  readonly #ruled: Uint8Array;
  readonly #rest: Float64Array;
  readonly #inverse: Float64Array;
  readonly #taken: Float64Array;
  readonly #capLeft: Float64Array;
  readonly #blocked: Uint32Array;
  #turn = 0;
  #opened = 0;
  #open = new Int32Array(0);
  #head = new Int32Array(0);
  #scores = new Float64Array(0);

  constructor(groups: ItemGroups) {
    this.#groups = groups;
    this.fill = {
      value: 0,
      length: 0,
      group: new Int32Array(groups.length),
      units: new Float64Array(groups.length),
    };
    this.#size = groups.size;
    this.#ruled = Uint8Array.from({ length: groups.length }, (_, group) =>
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
    this.#turn++;
    for (let r = 0; r < this.#rest.length; r++) this.#rest[r] = request.room[request.at + r] ?? 0;
    this.#weigh();
    this.#openShelves(request, shelves);
    while (this.#opened > 0) {
      const group = this.#pick(request, shelves);
      if (group < 0) continue;
      this.#take(group, this.#portion(group, request), request.worth);
      this.#weigh();
    }
    this.#reset();
    return fill;
  }

  /** Builds a heap of the shelves with a fitting group, each with the score of its first one. */
  #openShelves(request: FillRequest, shelves: Shelves): void {
    if (this.#open.length < shelves.length) {
      this.#open = new Int32Array(shelves.length);
      this.#head = new Int32Array(shelves.length);
      this.#scores = new Float64Array(shelves.length);
    }
    this.#opened = 0;
    for (let shelf = 0; shelf < shelves.length; shelf++) {
      if (request.allows[request.allowsAt + (shelves.mask[shelf] ?? 0)] !== 1) continue;
      this.#head[shelf] = shelves.start[shelf] ?? 0;
      const score = this.#scoreOfHead(shelf, shelves, request);
      if (score < 0) continue;
      this.#scores[shelf] = score;
      this.#open[this.#opened++] = shelf;
    }
    for (let at = (this.#opened >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  #weigh(): void {
    for (let r = 0; r < this.#rest.length; r++) {
      const rest = this.#rest[r] ?? 0;
      this.#inverse[r] = rest > 0 ? 1 / rest : 0;
    }
  }

  /**
   * The next group to add, or −1 if the best shelf is not the best any more. As resources shrink, every group
   * takes a larger share of them: scores only fall, so shelves below the best need not be scored again.
   */
  #pick(request: FillRequest, shelves: Shelves): number {
    const best = this.#open[0] ?? 0;
    const score = this.#scoreOfHead(best, shelves, request);
    if (score < 0) this.#open[0] = this.#open[--this.#opened] ?? 0;
    else this.#scores[best] = score;
    this.#sink(0);
    return score >= 0 && this.#open[0] === best ? (shelves.groups[this.#head[best] ?? 0] ?? 0) : -1;
  }

  /** Restores the heap below a position. */
  #sink(from: number): void {
    const open = this.#open;
    const shelf = open[from] ?? 0;
    let at = from;
    for (let child = 2 * at + 1; child < this.#opened; child = 2 * at + 1) {
      if (child + 1 < this.#opened && this.#goesBefore(open[child + 1] ?? 0, open[child] ?? 0)) child++;
      if (!this.#goesBefore(open[child] ?? 0, shelf)) break;
      open[at] = open[child] ?? 0;
      at = child;
    }
    open[at] = shelf;
  }

  /** Ties go to the shelf with the lower number, so that fills are deterministic. */
  #goesBefore(a: number, b: number): boolean {
    const difference = (this.#scores[a] ?? 0) - (this.#scores[b] ?? 0);
    return difference > 0 || (a < b && !(difference < 0));
  }

  /** The score of the first fitting group of the shelf; −1 if there is none. */
  #scoreOfHead(shelf: number, shelves: Shelves, request: FillRequest): number {
    let at = this.#head[shelf] ?? 0;
    const score = this.#score(shelves.groups[at] ?? 0, request);
    if (score >= 0) return score;
    if (!this.#smallestFits(shelf, shelves)) return -1;
    const end = shelves.start[shelf + 1] ?? 0;
    for (at++; at < end; at++) {
      const next = this.#score(shelves.groups[at] ?? 0, request);
      if (next < 0) continue;
      this.#head[shelf] = at;
      return next;
    }
    return -1;
  }

  #smallestFits(shelf: number, shelves: Shelves): boolean {
    const resources = this.#rest.length;
    for (let r = 0; r < resources; r++)
      if ((shelves.smallest[shelf * resources + r] ?? 0) > (this.#rest[r] ?? 0)) return false;
    return true;
  }

  /** Worth per share of the remaining resources of one unit; −1 if it does not fit. */
  #score(group: number, request: FillRequest): number {
    const size = this.#size;
    const rest = this.#rest;
    const inverse = this.#inverse;
    const resources = rest.length;
    const base = group * resources;
    let total = 0;
    let largest = 0;
    for (let r = 0; r < resources; r++) {
      const each = size[base + r] ?? 0;
      if (each > (rest[r] ?? 0)) return -1;
      const share = each * (inverse[r] ?? 0);
      total += share;
      if (share > largest) largest = share;
    }
    if (!this.#isLeft(group, request)) return -1;
    const cost = request.rule === 'sum' ? total : largest;
    return cost > 0 ? (request.worth[group] ?? 0) / cost : Number.POSITIVE_INFINITY;
  }

  #isLeft(group: number, { left }: FillRequest): boolean {
    if ((left[group] ?? 0) <= (this.#taken[group] ?? 0)) return false;
    return this.#ruled[group] !== 1 || this.#permits(group);
  }

  #permits(group: number): boolean {
    const { caps } = this.#groups;
    if (this.#blocked[group] === this.#turn) return false;
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++)
      if ((this.#capLeft[caps.entries[c] ?? 0] ?? 0) < 1) return false;
    return true;
  }

  /** How many units to add at once: a part of what fits while other shelves can balance it. */
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
      this.#blocked[conflicts.entries[c] ?? 0] = this.#turn;
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

/** How often `each` fits into `room`; corrects a quotient that was rounded up. */
export function wholeTimes(room: number, each: number): number {
  const times = Math.floor(room / each);
  return times * each > room ? times - 1 : times;
}
