import { endsStep } from '../../../yielding/index.ts';
import { comparePrices } from '../cost.ts';
import type { Market } from '../market.ts';
import { exchangeOffer, type Slot, shift, spareByRules } from './slot.ts';
import { SlotKinds } from './slot-kinds.ts';

/** How many comparisons of units are made for each unit of the packing; bounds the time (ADR 0057). */
const comparisonsPerUnit = 400;
/** With how many other slots the units of a slot are compared. */
const maxPartners = 400;
/** A pass may find what the changes of the one before make possible; later ones find next to nothing. */
const maxPasses = 3;

/** A unit for which another slot is searched. */
interface LeavingUnit {
  readonly slot: Slot;
  readonly group: number;
  /** The load of its slot without it. */
  readonly rest: Float64Array;
  /** The cheapest offer for the rest. */
  readonly least: number;
}

/** Where a unit may go, and what the slot that it leaves costs then. */
interface FoundPlace {
  /** Index of the other slot. */
  readonly to: number;
  /** The group of the unit that it is exchanged for; −1 for none. */
  readonly back: number;
  readonly offer: number;
  readonly price: number;
}

/**
 * Moves a unit to another slot, or exchanges it for a smaller one there, if its slot then costs less and the
 * other keeps its offer. Filling leaves room on nodes that none of the remaining units fits into; this uses it.
 */
export class UnitExchange {
  readonly #market: Market;
  readonly #slots: readonly Slot[];
  readonly #after: Float64Array;
  readonly #shortage: Float64Array;
  /** How many comparisons may still be made. */
  #left: number;
  readonly #kinds: SlotKinds;
  /** Counts the leaving units; what was found in an earlier trial is out of date. */
  #trial = 0;
  /** By kind of slots, the last trial in which one of them was compared. */
  readonly #triedFor: number[] = [];
  /**
   * By kind of slots, the first kind that its units have not been compared with in vain. Slots change seldom, so most
   * comparisons of a later slot or pass would find nothing again. With more slots than `maxPartners`, equal slots count
   * as compared although the first of them had other partners.
   */
  readonly #comparedTo: number[] = [];
  /** By group, the cheapest offer for the slot with one of its units in place of the leaving one; −1 for none. */
  readonly #offerWith: Int32Array;
  /** By group, the trial in which `#offerWith` was found. */
  readonly #foundFor: Uint32Array;

  constructor(market: Market, slots: readonly Slot[]) {
    const { resources, units } = market.groups;
    this.#market = market;
    this.#slots = slots;
    this.#after = new Float64Array(resources);
    this.#shortage = new Float64Array(resources);
    this.#left = comparisonsPerUnit * units.reduce((sum, each) => sum + each, 0);
    this.#kinds = new SlotKinds(slots);
    this.#offerWith = new Int32Array(units.length);
    this.#foundFor = new Uint32Array(units.length);
  }

  *run(): Generator<void> {
    for (let pass = 0; pass < maxPasses; pass++) {
      let isChanged = false;
      for (let at = 0; at < this.#slots.length; at++) {
        if (this.#left <= 0) return;
        if (this.#improve(at)) isChanged = true;
        if (endsStep(at, 'medium')) yield;
      }
      if (!isChanged) return;
    }
  }

  /** Exchanges units of a slot as long as that makes it cheaper; returns whether it did. */
  #improve(at: number): boolean {
    const slot = this.#slots[at];
    if (slot === undefined || this.#firstNewKind(at) === this.#kinds.count) return false;
    let isCheaper = false;
    for (let i = 0; slot.offer >= 0 && i < slot.group.length; i++) {
      if (!this.#exchange(slot, slot.group[i] ?? 0, at)) continue;
      isCheaper = true;
      i = -1;
    }
    // Under limits or reservations it also depends on what is left of them.
    if (!this.#market.ledger.limited) this.#comparedTo[this.#kinds.of[at] ?? 0] = this.#kinds.count;
    return isCheaper;
  }

  /** The first kind of slots that the units of a slot have yet to be compared with. */
  #firstNewKind(at: number): number {
    return this.#comparedTo[this.#kinds.of[at] ?? 0] ?? 0;
  }

  /** Exchanges a unit of a group if that makes its slot cheaper; returns whether it did. */
  #exchange(slot: Slot, group: number, at: number): boolean {
    const { frontier, groups, offers } = this.#market;
    const { resources, size } = groups;
    const rest = slot.used.map((amount, r) => amount - (size[group * resources + r] ?? 0));
    const price = frontier.price[slot.offer] ?? 0;
    const least = offers.cheapest(rest, slot.group, price);
    if (least < 0 || comparePrices(frontier.price[least] ?? 0, price) >= 0) return false;
    const unit = { slot, group, rest, least };
    const place = this.#cheapestPlace(unit, at, price);
    if (place === undefined) return false;
    this.#apply(unit, place);
    this.#kinds.update(at);
    this.#kinds.update(place.to);
    return true;
  }

  /**
   * The place that makes the slot cheapest; the search ends when no other can be better. Of slots with the same
   * offer and units, one is enough.
   */
  #cheapestPlace(unit: LeavingUnit, at: number, price: number): FoundPlace | undefined {
    const slots = this.#slots;
    const kinds = this.#kinds.of;
    const tried = this.#triedFor;
    const trial = ++this.#trial;
    const leastPrice = this.#market.frontier.price[unit.least] ?? 0;
    const partners = Math.min(maxPartners, slots.length - 1);
    const firstNew = this.#firstNewKind(at);
    let best: FoundPlace | undefined;
    for (let step = 1; step <= partners; step++) {
      const to = (at + step) % slots.length;
      const other = slots[to];
      if (other === undefined || other.offer < 0) continue;
      this.#left -= 1 + other.group.length;
      const kind = kinds[to] ?? 0;
      if (kind < firstNew || tried[kind] === trial) continue;
      tried[kind] = trial;
      best = this.#placeOn(to, unit, best?.price ?? price) ?? best;
      if (best !== undefined && comparePrices(best.price, leastPrice) <= 0) return best;
    }
    return best;
  }

  /** A place on another slot at which the slot of the unit costs less than a price. */
  #placeOn(to: number, unit: LeavingUnit, below: number): FoundPlace | undefined {
    const other = this.#slots[to];
    if (other === undefined || !this.#allows(other, unit.group)) return undefined;
    this.#measureShortage(other, unit.group);
    let best = this.#hasRoom(-1) ? this.#place(unit, { to, back: -1 }, below) : undefined;
    const { group } = other;
    for (let i = 0; i < group.length; i++) {
      const back = group[i] ?? 0;
      if (back !== unit.group && this.#hasRoom(back))
        best = this.#place(unit, { to, back }, best?.price ?? below) ?? best;
    }
    return best;
  }

  #allows({ offer }: Slot, group: number): boolean {
    const { frontier, groups } = this.#market;
    return frontier.allows[offer * groups.masks.length + (groups.mask[group] ?? 0)] === 1;
  }

  /** How much of each resource a slot lacks for a unit of a group; negative where there is room. */
  #measureShortage({ offer, used }: Slot, group: number): void {
    const { groups, frontier } = this.#market;
    const { resources, size } = groups;
    for (let r = 0; r < resources; r++)
      this.#shortage[r] =
        (used[r] ?? 0) + (size[group * resources + r] ?? 0) - (frontier.room[offer * resources + r] ?? 0);
  }

  /** Whether a unit of a group, or nothing if it is −1, makes up for what the slot lacks when it leaves. */
  #hasRoom(back: number): boolean {
    const { size } = this.#market.groups;
    const shortage = this.#shortage;
    for (let r = 0, at = back * shortage.length; r < shortage.length; r++, at++)
      if ((shortage[r] ?? 0) > (back < 0 ? 0 : (size[at] ?? 0))) return false;
    return true;
  }

  #place(
    unit: LeavingUnit,
    { to, back }: Pick<FoundPlace, 'to' | 'back'>,
    below: number,
  ): FoundPlace | undefined {
    const offer = back < 0 ? unit.least : this.#cheapestWith(back, unit);
    const price = this.#market.frontier.price[offer] ?? 0;
    if (offer < 0 || comparePrices(price, below) >= 0) return undefined;
    const other = this.#slots[to];
    return other !== undefined && this.#isPermitted(unit, other, back)
      ? { to, back, offer, price }
      : undefined;
  }

  /**
   * The cheapest offer for the slot of a unit with a unit of another group in its place, no more expensive than now;
   * −1 for none. Cached for the trial, because many slots have units of the same group.
   */
  #cheapestWith(back: number, { slot, rest }: LeavingUnit): number {
    if (this.#foundFor[back] === this.#trial) return this.#offerWith[back] ?? -1;
    const { groups, frontier, offers } = this.#market;
    const { resources, size } = groups;
    for (let r = 0; r < resources; r++) this.#after[r] = (rest[r] ?? 0) + (size[back * resources + r] ?? 0);
    const found = offers.cheapest(this.#after, slot.group, frontier.price[slot.offer] ?? 0);
    const isAllowed = frontier.allows[found * groups.masks.length + (groups.mask[back] ?? 0)] === 1;
    const offer = found >= 0 && isAllowed ? found : -1;
    this.#foundFor[back] = this.#trial;
    this.#offerWith[back] = offer;
    return offer;
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
    const other = this.#slots[to];
    if (other === undefined) return;
    shift(market, slot, { group, units: -1 });
    shift(market, other, { group, units: 1 });
    if (back >= 0) {
      shift(market, other, { group: back, units: -1 });
      shift(market, slot, { group: back, units: 1 });
    }
    exchangeOffer(market, slot, slot.group.length === 0 ? -1 : offer);
  }
}
