import type { Market } from './market.ts';
import { exchangeOffer, type Slot, shift, spare } from './slot.ts';
import { SlotTable } from './slot-table.ts';

/** How many pairs of slots are tried for each unit that is packed. */
const pairsPerUnit = 12;

/** Joins two slots of about the same price if one node that holds both costs no more. */
export class SlotJoining {
  readonly #market: Market;
  readonly #used: Float64Array;

  constructor(market: Market) {
    this.#market = market;
    this.#used = new Float64Array(market.groups.resources);
  }

  *run(slots: readonly Slot[]): Generator<void> {
    const order = slots.filter((slot) => slot.offer >= 0).sort((a, b) => a.offer - b.offer);
    const units = this.#market.groups.units.reduce((sum, each) => sum + each, 0);
    const partners = Math.ceil((pairsPerUnit * units) / order.length);
    const table = new SlotTable(this.#market, order);
    for (const [i, slot] of order.entries()) {
      for (let j = i + 1; slot.offer >= 0 && j < order.length && j <= i + partners; j++) {
        if (!table.mayJoin(i, j)) continue;
        const other = order[j];
        if (other === undefined || other.offer < 0 || !this.#join(slot, other)) continue;
        table.update(j);
      }
      yield;
    }
  }

  /** Moves all units into the second slot, if possible; returns whether it is. */
  #join(slot: Slot, other: Slot): boolean {
    const offer = this.#offerForBoth(slot, other);
    if (offer < 0) return false;
    const before = other.offer;
    // Caps and conflicts are checked as if the slot had the larger offer already.
    other.offer = offer;
    const moved = this.#moveAll(slot, other);
    other.offer = before;
    if (!moved) return false;
    exchangeOffer(this.#market, other, offer);
    exchangeOffer(this.#market, slot, -1);
    return true;
  }

  #offerForBoth(slot: Slot, other: Slot): number {
    const { offers, frontier } = this.#market;
    const used = this.#used;
    for (let r = 0; r < used.length; r++) used[r] = (slot.used[r] ?? 0) + (other.used[r] ?? 0);
    const most = (frontier.price[slot.offer] ?? 0) + (frontier.price[other.offer] ?? 0);
    // For most pairs no node is large enough at that price, whatever it allows.
    if (!offers.mayHold(used, most)) return -1;
    return offers.cheapest(used, [...slot.group, ...other.group], most);
  }

  #moveAll(from: Slot, to: Slot): boolean {
    const before = { group: [...to.group], units: [...to.units], used: to.used.slice() };
    for (let i = 0; i < from.group.length; i++) {
      const group = from.group[i] ?? 0;
      const units = from.units[i] ?? 0;
      if (spare(this.#market, to, group) < units) {
        Object.assign(to, before);
        return false;
      }
      shift(this.#market, to, { group, units });
    }
    return true;
  }
}
