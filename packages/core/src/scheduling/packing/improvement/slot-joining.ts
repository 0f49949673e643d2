import { endsStep } from '../../../yielding/index.ts';
import type { Market } from '../market.ts';
import { exchangeOffer, type Slot, shift, spare } from './slot.ts';
import { SlotKinds } from './slot-kinds.ts';
import { SlotTable } from './slot-table.ts';

/** How many pairs of slots are tried for each unit of the packing; bounds the time (ADR 0057). */
const pairsPerUnit = 12;

interface JoinSearch {
  /** The cheapest first. */
  readonly order: readonly Slot[];
  readonly table: SlotTable;
  readonly refused: RefusedPairs;
}

/** Joins two slots of about the same price if one node with room for both costs no more. */
export class SlotJoining {
  readonly #market: Market;
  readonly #used: Float64Array;

  constructor(market: Market) {
    this.#market = market;
    this.#used = new Float64Array(market.groups.resources);
  }

  *run(slots: readonly Slot[]): Generator<void> {
    // Frontier offers are numbered in the order of price.
    const order = slots.filter((slot) => slot.offer >= 0).sort((a, b) => a.offer - b.offer);
    const units = this.#market.groups.units.reduce((sum, each) => sum + each, 0);
    const partners = Math.ceil((pairsPerUnit * units) / order.length);
    const search = {
      order,
      table: new SlotTable(this.#market, order),
      refused: new RefusedPairs(order, this.#market.ledger.limited),
    };
    for (let i = 0; i < order.length; i++) {
      this.#joinFirst(i, i + partners, search);
      if (endsStep(i, 'medium')) yield;
    }
  }

  /** Joins a slot with one of those after it, up to an index. */
  #joinFirst(i: number, last: number, { order, table, refused }: JoinSearch): void {
    const slot = order[i];
    for (let j = i + 1; slot !== undefined && slot.offer >= 0 && j <= last; j++) {
      const other = order[j];
      if (other === undefined) return;
      if (other.offer < 0 || !table.mayJoin(i, j) || refused.has(i, j)) continue;
      if (this.#join(slot, other)) {
        table.update(j);
        refused.update(j);
      } else {
        refused.add(i, j);
      }
    }
  }

  /** Moves all units into the second slot, if one offer has room for them; returns whether it did. */
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
    // For most pairs no offer up to that price is large enough, which is much faster to find out than the cheapest.
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

/**
 * Pairs of slots that cannot be joined, by offer and units, because many slots are equal. Stays empty under limits or
 * reservations, where it also depends on what is left of them.
 */
class RefusedPairs {
  readonly #kinds: SlotKinds | undefined;
  readonly #pairs = new Set<number>();

  constructor(slots: readonly Slot[], isLimited: boolean) {
    this.#kinds = isLimited ? undefined : new SlotKinds(slots);
  }

  has(a: number, b: number): boolean {
    return this.#kinds !== undefined && this.#pairs.has(this.#pairKey(this.#kinds, a, b));
  }

  add(a: number, b: number): void {
    if (this.#kinds !== undefined) this.#pairs.add(this.#pairKey(this.#kinds, a, b));
  }

  /** Has to be called after a slot changes. */
  update(index: number): void {
    this.#kinds?.update(index);
  }

  /** A kind is below 2^26, so that two are below 2^52. */
  #pairKey({ of }: SlotKinds, a: number, b: number): number {
    return (of[a] ?? 0) * 2 ** 26 + (of[b] ?? 0);
  }
}
