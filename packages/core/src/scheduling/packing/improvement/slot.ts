import type { ChosenPattern } from '../chosen-patterns.ts';
import { comparePrices } from '../cost.ts';
import type { Market } from '../market.ts';

/** One planned node whose offer and units may still change. */
export interface Slot {
  /** Index into the frontier; −1 once the slot is removed. */
  offer: number;
  group: number[];
  units: number[];
  /** Requests of its units together. */
  used: Float64Array;
}

/** One slot for each node of the patterns. */
export function openSlots(market: Market, chosen: readonly ChosenPattern[]): Slot[] {
  return chosen.flatMap(({ pattern, times }) =>
    Array.from({ length: times }, () => {
      const group = [...pattern.group];
      const units = [...pattern.units];
      return { offer: pattern.offer, group, units, used: usedBy(market, group, units) };
    }),
  );
}

/** The patterns of all slots; equal slots become one, in the order of the first of them. */
export function closeSlots(slots: readonly Slot[]): ChosenPattern[] {
  const alike = new Map<string, { slot: Slot; times: number }>();
  for (const slot of slots) {
    if (slot.offer < 0) continue;
    const key = slotKey(slot);
    const known = alike.get(key);
    if (known) known.times++;
    else alike.set(key, { slot, times: 1 });
  }
  return Array.from(alike.values(), ({ slot, times }) => ({
    times,
    pattern: {
      offer: slot.offer,
      group: Int32Array.from(slot.group),
      units: Float64Array.from(slot.units),
      value: 0,
      ratio: 0,
    },
  }));
}

/** Equal for slots with the same offer and the same units. */
export function slotKey({ offer, group, units }: Slot): string {
  return `${offer}|${group.join()}|${units.join()}`;
}

export function usedBy(market: Market, group: ArrayLike<number>, units: ArrayLike<number>): Float64Array {
  const { resources, size } = market.groups;
  const used = new Float64Array(resources);
  for (let i = 0; i < group.length; i++)
    for (let r = 0; r < resources; r++)
      used[r] = (used[r] ?? 0) + (units[i] ?? 0) * (size[(group[i] ?? 0) * resources + r] ?? 0);
  return used;
}

/** Exchanges the offer of a slot, or removes the slot, and updates the ledger. */
export function exchangeOffer({ frontier, ledger }: Market, slot: Slot, offer: number): void {
  if (slot.offer >= 0) ledger.buy(frontier.offer[slot.offer] ?? 0, -1);
  if (offer >= 0) ledger.buy(frontier.offer[offer] ?? 0, 1);
  slot.offer = offer;
}

/** Moves the slot to the cheapest offer with room for its load, and removes an empty slot. */
export function shrinkSlot(market: Market, slot: Slot): void {
  if (slot.offer < 0) return;
  if (slot.group.length === 0) {
    exchangeOffer(market, slot, -1);
    return;
  }
  const price = market.frontier.price[slot.offer] ?? 0;
  const offer = market.offers.cheapest(slot.used, slot.group, price);
  if (offer >= 0 && comparePrices(market.frontier.price[offer] ?? 0, price) < 0)
    exchangeOffer(market, slot, offer);
}

/** How many more units of a group fit into a slot. */
export function spare(market: Market, slot: Slot, group: number): number {
  const { groups, frontier } = market;
  const { resources, size } = groups;
  if (frontier.allows[slot.offer * groups.masks.length + (groups.mask[group] ?? 0)] !== 1) return 0;
  let most = Number.POSITIVE_INFINITY;
  for (let r = 0; r < resources; r++) {
    const each = size[group * resources + r] ?? 0;
    const rest = (frontier.room[slot.offer * resources + r] ?? 0) - (slot.used[r] ?? 0);
    if (each > rest) return 0;
    if (each > 0) most = Math.min(most, Math.floor(rest / each));
  }
  return Math.min(most, spareByRules(market, slot, group));
}

/** How many more units of a group caps and conflicts allow in a slot. */
export function spareByRules(market: Market, slot: Slot, group: number): number {
  const { conflicts, caps, capMost } = market.groups;
  for (let c = conflicts.start[group] ?? 0; c < (conflicts.start[group + 1] ?? 0); c++)
    if (slot.group.includes(conflicts.entries[c] ?? 0)) return 0;
  let most = Number.POSITIVE_INFINITY;
  for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
    const cap = caps.entries[c] ?? 0;
    most = Math.min(most, Math.floor(capMost[cap] ?? 0) - countedBy(market, slot, cap));
  }
  return Math.max(0, most);
}

/** How many units in the slot count towards a cap. */
function countedBy(market: Market, slot: Slot, cap: number): number {
  const { caps } = market.groups;
  let counted = 0;
  for (let i = 0; i < slot.group.length; i++) {
    const group = slot.group[i] ?? 0;
    for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++)
      if (caps.entries[c] === cap) counted += slot.units[i] ?? 0;
  }
  return counted;
}

interface ShiftedUnits {
  readonly group: number;
  readonly units: number;
}

/** Puts units into a slot, or takes them out if the number is negative. */
export function shift(market: Market, slot: Slot, { group, units }: ShiftedUnits): void {
  const { resources, size } = market.groups;
  for (let r = 0; r < resources; r++)
    slot.used[r] = (slot.used[r] ?? 0) + units * (size[group * resources + r] ?? 0);
  const at = slot.group.indexOf(group);
  if (at < 0) {
    slot.group.push(group);
    slot.units.push(units);
    return;
  }
  slot.units[at] = (slot.units[at] ?? 0) + units;
  if (slot.units[at] !== 0) return;
  slot.group.splice(at, 1);
  slot.units.splice(at, 1);
}
