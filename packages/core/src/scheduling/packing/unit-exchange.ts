import { comparePrices } from './cost.ts';
import type { Market } from './market.ts';
import { exchangeOffer, type Slot, shift, spareByRules } from './slot.ts';

/** How often units are compared with each other, for each unit that is packed. */
const comparisonsPerUnit = 400;
/** With how many other slots the units of a slot are compared. */
const mostPartners = 400;
/** Each pass starts from what the one before has changed; later ones find next to nothing. */
const mostPasses = 3;

/** A unit that is to leave its slot. */
interface LeavingUnit {
  readonly slot: Slot;
  readonly group: number;
  /** The load of the slot without it. */
  readonly rest: Float64Array;
}

/** Where a unit may go, and what its slot costs then. */
interface FoundPlace {
  readonly to: Slot;
  /** The group whose unit comes back; −1 for none. */
  readonly back: number;
  readonly offer: number;
  readonly price: number;
}

/**
 * Moves a unit to another slot, or exchanges it for a smaller one there, if its slot then costs less and the
 * other keeps its offer. Fills leave room that fits none of the units that are left; this uses it.
 */
export class UnitExchange {
  readonly #market: Market;
  readonly #slots: readonly Slot[];
  readonly #after: Float64Array;
  #left: number;

  constructor(market: Market, slots: readonly Slot[]) {
    const { resources, units } = market.groups;
    this.#market = market;
    this.#slots = slots;
    this.#after = new Float64Array(resources);
    this.#left = comparisonsPerUnit * units.reduce((sum, each) => sum + each, 0);
  }

  *run(): Generator<void> {
    for (let pass = 0; pass < mostPasses; pass++) {
      let isChanged = false;
      for (let at = 0; at < this.#slots.length; at++) {
        if (this.#left <= 0) return;
        if (this.#improve(at)) isChanged = true;
        yield;
      }
      if (!isChanged) return;
    }
  }

  /** Exchanges units of a slot as long as that makes it cheaper; returns whether it did. */
  #improve(at: number): boolean {
    const slot = this.#slots[at];
    if (slot === undefined) return false;
    let isCheaper = false;
    for (let i = 0; slot.offer >= 0 && i < slot.group.length; i++) {
      if (!this.#exchange(this.#leaving(slot, slot.group[i] ?? 0), at)) continue;
      isCheaper = true;
      i = -1;
    }
    return isCheaper;
  }

  #leaving(slot: Slot, group: number): LeavingUnit {
    const { resources, size } = this.#market.groups;
    const rest = slot.used.map((amount, r) => amount - (size[group * resources + r] ?? 0));
    return { slot, group, rest };
  }

  /** Exchanges the unit if that makes its slot cheaper; returns whether it did. */
  #exchange(unit: LeavingUnit, at: number): boolean {
    const { frontier, offers } = this.#market;
    const { slot, rest } = unit;
    const price = frontier.price[slot.offer] ?? 0;
    const least = offers.cheapest(rest, slot.group, price);
    const leastPrice = frontier.price[least] ?? 0;
    if (least < 0 || comparePrices(leastPrice, price) >= 0) return false;
    const place = this.#cheapestPlace(unit, at, { price, leastPrice });
    if (place === undefined) return false;
    this.#apply(unit, place);
    return true;
  }

  /** The place that makes the slot cheapest; the search ends when no other can be better. */
  #cheapestPlace(
    unit: LeavingUnit,
    at: number,
    { price, leastPrice }: { readonly price: number; readonly leastPrice: number },
  ): FoundPlace | undefined {
    const slots = this.#slots;
    const partners = Math.min(mostPartners, slots.length - 1);
    let best: FoundPlace | undefined;
    for (let step = 1; step <= partners; step++) {
      const other = slots[(at + step) % slots.length];
      if (other === undefined || other.offer < 0) continue;
      best = this.#placeOn(other, unit, best?.price ?? price) ?? best;
      if (best !== undefined && comparePrices(best.price, leastPrice) <= 0) return best;
    }
    return best;
  }

  /** A place on another slot at which the slot of the unit costs less than a price. */
  #placeOn(other: Slot, unit: LeavingUnit, below: number): FoundPlace | undefined {
    const { frontier, groups } = this.#market;
    this.#left -= 1 + other.group.length;
    if (frontier.allows[other.offer * groups.masks.length + (groups.mask[unit.group] ?? 0)] !== 1)
      return undefined;
    let best = this.#place(unit, { to: other, back: -1 }, below);
    for (let i = 0; i < other.group.length; i++) {
      const back = other.group[i] ?? 0;
      if (back !== unit.group) best = this.#place(unit, { to: other, back }, best?.price ?? below) ?? best;
    }
    return best;
  }

  #place(
    unit: LeavingUnit,
    { to, back }: Pick<FoundPlace, 'to' | 'back'>,
    below: number,
  ): FoundPlace | undefined {
    if (!this.#hasRoom(to, unit.group, back)) return undefined;
    const { groups, frontier, offers } = this.#market;
    const { resources, size } = groups;
    for (let r = 0; r < resources; r++)
      this.#after[r] = (unit.rest[r] ?? 0) + (back < 0 ? 0 : (size[back * resources + r] ?? 0));
    const offer = offers.cheapest(this.#after, unit.slot.group, below);
    const price = frontier.price[offer] ?? 0;
    if (offer < 0 || comparePrices(price, below) >= 0) return undefined;
    if (back >= 0 && frontier.allows[offer * groups.masks.length + (groups.mask[back] ?? 0)] !== 1)
      return undefined;
    return this.#isPermitted(unit, to, back) ? { to, back, offer, price } : undefined;
  }

  /** Whether a slot has room for a unit of one group in place of one of another. */
  #hasRoom({ offer, used }: Slot, group: number, back: number): boolean {
    const { groups, frontier } = this.#market;
    const { resources, size } = groups;
    for (let r = 0; r < resources; r++) {
      const freed = back < 0 ? 0 : (size[back * resources + r] ?? 0);
      const needed = (used[r] ?? 0) + (size[group * resources + r] ?? 0) - freed;
      if (needed > (frontier.room[offer * resources + r] ?? 0)) return false;
    }
    return true;
  }

  /** Whether caps and conflicts allow the exchange. */
  #isPermitted({ slot, group }: LeavingUnit, to: Slot, back: number): boolean {
    const market = this.#market;
    if (back < 0) return spareByRules(market, to, group) >= 1;
    shift(market, slot, { group, units: -1 });
    shift(market, to, { group: back, units: -1 });
    const isPermitted = spareByRules(market, to, group) >= 1 && spareByRules(market, slot, back) >= 1;
    shift(market, to, { group: back, units: 1 });
    shift(market, slot, { group, units: 1 });
    return isPermitted;
  }

  #apply({ slot, group }: LeavingUnit, { to, back, offer }: FoundPlace): void {
    const market = this.#market;
    shift(market, slot, { group, units: -1 });
    shift(market, to, { group, units: 1 });
    if (back >= 0) {
      shift(market, to, { group: back, units: -1 });
      shift(market, slot, { group: back, units: 1 });
    }
    exchangeOffer(market, slot, slot.group.length === 0 ? -1 : offer);
  }
}
