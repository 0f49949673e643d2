import { comparePrices } from '../cost.ts';
import type { Ledger } from '../ledger.ts';
import type { Market } from '../market.ts';
import type { OfferFrontier } from './offer-frontier.ts';

/** Finds the cheapest offer for a load without trying all that are too small. */
export class OfferIndex {
  readonly #frontier: OfferFrontier;
  readonly #ledger: Ledger;
  readonly #masks: number;
  readonly #maskOf: Uint32Array;
  readonly #resources: number;
  /** Resource by resource, the most that any offer up to this one has. */
  readonly #mostSoFar: Float64Array;
  #lastMost = Number.NaN;
  #last = -1;

  constructor({ frontier, groups, ledger }: Pick<Market, 'frontier' | 'groups' | 'ledger'>) {
    this.#frontier = frontier;
    this.#ledger = ledger;
    this.#masks = groups.masks.length;
    this.#maskOf = groups.mask;
    this.#resources = groups.resources;
    this.#mostSoFar = new Float64Array(groups.resources * frontier.length);
    for (let r = 0; r < groups.resources; r++) this.#accumulate(r);
  }

  #accumulate(resource: number): void {
    const { length, room } = this.#frontier;
    let most = Number.NEGATIVE_INFINITY;
    for (let offer = 0; offer < length; offer++) {
      most = Math.max(most, room[offer * this.#resources + resource] ?? 0);
      this.#mostSoFar[resource * length + offer] = most;
    }
  }

  /** The cheapest offer up to a price with room for a load, within reservations and limits; −1 for none. */
  cheapest(used: Float64Array, group: ArrayLike<number>, most: number): number {
    const { length, price, offer: indexOf } = this.#frontier;
    for (let offer = this.first(used); offer < length; offer++) {
      if (comparePrices(price[offer] ?? 0, most) > 0) return -1;
      if (!this.#hasRoom(offer, used) || !this.#allowsAll(offer, group)) continue;
      if (!this.#ledger.limited || this.#ledger.affordable(indexOf[offer] ?? 0, 1) >= 1) return offer;
    }
    return -1;
  }

  /** False only if no offer up to a price has room for a load. Much faster than `cheapest`. */
  mayHold(used: Float64Array, most: number): boolean {
    const { length } = this.#frontier;
    const last = this.#lastUpTo(most);
    if (last < 0) return false;
    for (let r = 0; r < used.length; r++)
      if ((used[r] ?? 0) > (this.#mostSoFar[r * length + last] ?? 0)) return false;
    return true;
  }

  /** The last offer up to a price; −1 for none. Cached, because most calls pass the same price as the one before. */
  #lastUpTo(most: number): number {
    if (most === this.#lastMost) return this.#last;
    const { length, price } = this.#frontier;
    let first = 0;
    for (let end = length; first < end; ) {
      const middle = (first + end) >>> 1;
      if (comparePrices(price[middle] ?? 0, most) > 0) end = middle;
      else first = middle + 1;
    }
    this.#lastMost = most;
    this.#last = first - 1;
    return this.#last;
  }

  /** From an offer on, the first that may have room for a load: none before it has enough of every resource. */
  first(used: Float64Array, from = 0): number {
    const { length } = this.#frontier;
    let first = from;
    for (let r = 0; r < used.length; r++) {
      const amount = used[r] ?? 0;
      const at = r * length;
      if (first < length && (this.#mostSoFar[at + first] ?? 0) >= amount) continue;
      let end = length;
      while (first < end) {
        const middle = (first + end) >>> 1;
        if ((this.#mostSoFar[at + middle] ?? 0) >= amount) end = middle;
        else first = middle + 1;
      }
    }
    return first;
  }

  #hasRoom(offer: number, used: Float64Array): boolean {
    const { room } = this.#frontier;
    const at = offer * used.length;
    for (let r = 0; r < used.length; r++) if ((used[r] ?? 0) > (room[at + r] ?? 0)) return false;
    return true;
  }

  #allowsAll(offer: number, group: ArrayLike<number>): boolean {
    const { allows } = this.#frontier;
    const at = offer * this.#masks;
    for (let i = 0; i < group.length; i++)
      if (allows[at + (this.#maskOf[group[i] ?? 0] ?? 0)] !== 1) return false;
    return true;
  }
}
