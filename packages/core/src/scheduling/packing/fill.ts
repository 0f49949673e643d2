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
    this.#openShelves(request, shelves);
    for (;;) {
      this.#weigh();
      const group = this.#best(request, shelves);
      if (group < 0) break;
      this.#take(group, this.#portion(group, request), request.worth);
    }
    this.#reset();
    return fill;
  }

  /** Lists the shelves whose groups the offer allows, each with its first group. */
  #openShelves({ allows, allowsAt }: FillRequest, { length, mask, start }: Shelves): void {
    if (this.#open.length < length) {
      this.#open = new Int32Array(length);
      this.#head = new Int32Array(length);
    }
    let opened = 0;
    for (let shelf = 0; shelf < length; shelf++) {
      if (allows[allowsAt + (mask[shelf] ?? 0)] !== 1) continue;
      this.#head[opened] = start[shelf] ?? 0;
      this.#open[opened++] = shelf;
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
   * The group with the highest score, or −1 if none fits. Closes shelves without a fitting group. Scores every
   * open shelf again, which is cheaper than a heap: there are tens of them, and few groups on a node.
   */
  #best(request: FillRequest, shelves: Shelves): number {
    const open = this.#open;
    const head = this.#head;
    let best = -1;
    let most = -1;
    let kept = 0;
    for (let place = 0; place < this.#opened; place++) {
      const shelf = open[place] ?? 0;
      let at = head[place] ?? 0;
      let score = this.#score(shelves.groups[at] ?? 0, request);
      if (score < 0) {
        at = this.#nextOn(shelf, at, { request, shelves });
        if (at < 0) continue;
        score = this.#score(shelves.groups[at] ?? 0, request);
      }
      open[kept] = shelf;
      head[kept++] = at;
      // Ties go to the shelf with the lower number, so that fills are deterministic.
      if (score <= most) continue;
      most = score;
      best = shelves.groups[at] ?? 0;
    }
    this.#opened = kept;
    return best;
  }

  /** Where the next group of a shelf is that fits; −1 if there is none. */
  #nextOn(
    shelf: number,
    from: number,
    { request, shelves }: { readonly request: FillRequest; readonly shelves: Shelves },
  ): number {
    if (!this.#smallestFits(shelf, shelves)) return -1;
    const end = shelves.start[shelf + 1] ?? 0;
    for (let at = from + 1; at < end; at++) if (this.#score(shelves.groups[at] ?? 0, request) >= 0) return at;
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
