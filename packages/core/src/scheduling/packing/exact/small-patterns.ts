import { comparePrices } from '../cost.ts';
import type { Market } from '../market.ts';
import type { CountVectors } from './count-vectors.ts';

/** The cheapest node for every vector of counts, found by going from each vector to those with one unit more. */
export class SmallPatterns {
  readonly #market: Market;
  readonly #vectors: CountVectors;
  /** By vector, the index into the frontier of the cheapest offer with room for it; −1 if there is none. */
  readonly offer: Int32Array;
  readonly #used: Float64Array;
  readonly #counts: Float64Array;
  readonly #counted: Float64Array;
  /** By signature of offers, how many groups of the current vector it does not allow. */
  readonly #disallowed: Uint32Array;
  /** How many signatures allow all groups of the current vector. */
  #allowing: number;

  constructor(market: Market, vectors: CountVectors) {
    this.#market = market;
    this.#vectors = vectors;
    this.offer = new Int32Array(vectors.length).fill(-1);
    this.#used = new Float64Array(market.groups.resources);
    this.#counts = new Float64Array(vectors.groups.length);
    this.#counted = new Float64Array(market.groups.capMost.length);
    const { signatureAllows } = market.frontier;
    this.#disallowed = new Uint32Array(signatureAllows.length / Math.max(1, market.groups.masks.length));
    this.#allowing = this.#disallowed.length;
    this.#extend(0, 0, 0);
  }

  price(vector: number): number {
    const offer = this.offer[vector] ?? -1;
    return offer < 0 ? Number.POSITIVE_INFINITY : (this.#market.frontier.price[offer] ?? 0);
  }

  /** Vectors to which no unit can be added at the same price. They are enough for covers, which may repeat units. */
  maximal(): readonly number[] {
    const { units } = this.#vectors;
    const counts: number[] = new Array(units.length).fill(0);
    const maximal: number[] = [];
    for (let vector = 1; vector < this.offer.length; vector++) {
      // The next counts in the order in which vectors are numbered.
      let position = 0;
      for (; counts[position] === units[position]; position++) counts[position] = 0;
      counts[position] = (counts[position] ?? 0) + 1;
      if ((this.offer[vector] ?? -1) >= 0 && this.#isMaximal(vector, counts)) maximal.push(vector);
    }
    return maximal;
  }

  #isMaximal(vector: number, counts: readonly number[]): boolean {
    const { units, stride } = this.#vectors;
    const price = this.price(vector);
    for (let position = 0; position < counts.length; position++) {
      if (counts[position] === units[position]) continue;
      if (comparePrices(this.price(vector + (stride[position] ?? 0)), price) <= 0) return false;
    }
    return true;
  }

  /**
   * Adds one unit to a vector, of its last group or a later one, so that each vector is reached once. More
   * units never fit on a cheaper offer, so the search for an offer continues from that of the smaller vector, and
   * vectors that fit on no offer are not extended.
   */
  #extend(vector: number, last: number, cheapest: number): void {
    const { groups, units, stride } = this.#vectors;
    for (let position = last; position < groups.length; position++) {
      if (this.#counts[position] === units[position]) continue;
      const group = groups[position] ?? 0;
      this.#add(position, group, 1);
      const offer = this.#mayShare(group) ? this.#cheapestFrom(cheapest) : -1;
      if (offer >= 0) {
        const next = vector + (stride[position] ?? 0);
        this.offer[next] = offer;
        this.#extend(next, position, offer);
      }
      this.#add(position, group, -1);
    }
  }

  #add(position: number, group: number, units: number): void {
    const { resources, size, caps } = this.#market.groups;
    const before = this.#counts[position] ?? 0;
    this.#counts[position] = before + units;
    if (before === 0 || before + units === 0) this.#countDisallowing(group, units);
    for (let r = 0; r < resources; r++)
      this.#used[r] = (this.#used[r] ?? 0) + units * (size[group * resources + r] ?? 0);
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
      const cap = caps.entries[c] ?? 0;
      this.#counted[cap] = (this.#counted[cap] ?? 0) + units;
    }
  }

  /** Counts a group that was added to the vector, or removed, for the signatures that do not allow it. */
  #countDisallowing(group: number, by: number): void {
    const { frontier, groups } = this.#market;
    const disallowed = this.#disallowed;
    for (let i = 0, at = groups.mask[group] ?? 0; i < disallowed.length; i++, at += groups.masks.length) {
      if (frontier.signatureAllows[at] === 1) continue;
      const before = disallowed[i] ?? 0;
      disallowed[i] = before + by;
      if (before === 0) this.#allowing--;
      else if (before + by === 0) this.#allowing++;
    }
  }

  /** Whether caps and conflicts allow the group that was added last. */
  #mayShare(group: number): boolean {
    const { caps, capMost, conflicts } = this.#market.groups;
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
      const cap = caps.entries[c] ?? 0;
      if ((this.#counted[cap] ?? 0) > Math.floor(capMost[cap] ?? 0)) return false;
    }
    for (let c = conflicts.start[group] ?? 0; c < (conflicts.start[group + 1] ?? 0); c++)
      if (this.#hasUnitsOf(conflicts.entries[c] ?? 0)) return false;
    return true;
  }

  #hasUnitsOf(group: number): boolean {
    return (this.#counts[this.#vectors.groups.indexOf(group)] ?? 0) > 0;
  }

  #cheapestFrom(first: number): number {
    if (this.#allowing === 0) return -1;
    const { frontier, groups, offers } = this.#market;
    for (let offer = offers.first(this.#used, first); offer < frontier.length; offer++)
      if (this.#disallowed[frontier.signature[offer] ?? 0] === 0 && this.#hasRoom(offer * groups.resources))
        return offer;
    return -1;
  }

  #hasRoom(at: number): boolean {
    const { room } = this.#market.frontier;
    for (let r = 0; r < this.#used.length; r++) if ((this.#used[r] ?? 0) > (room[at + r] ?? 0)) return false;
    return true;
  }
}
