import type { ChosenPattern } from './chosen-patterns.ts';
import { comparePrices } from './cost.ts';
import type { Market } from './market.ts';
import { closeSlots, exchangeOffer, openSlots, type Slot, shift, spare, usedBy } from './slot.ts';
import { SlotJoining } from './slot-joining.ts';
import { UnitExchange } from './unit-exchange.ts';

/** With more nodes than this the last few hardly change the price, and going through all takes long. */
const mostNodes = 6000;
/** How many places are tried for the units of slots that are emptied, for each unit that is packed. */
const placesPerUnit = 400;

/**
 * Improves the chosen nodes one by one where that is easy: joins two, empties one into others, uses smaller
 * types.
 */
export function* improve(
  market: Market,
  chosen: readonly ChosenPattern[],
  worth: Float64Array,
): Generator<void, ChosenPattern[]> {
  const total = chosen.reduce((sum, { times }) => sum + times, 0);
  if (total > mostNodes) return chosen.map((entry) => shrinkAll(market, entry));
  const slots = openSlots(market, chosen);
  for (const slot of slots) shrink(market, slot);
  yield;
  for (let pass = 0; pass < 2; pass++) {
    yield* new SlotJoining(market).run(slots);
    yield* emptyPoorest(market, slots, worth);
  }
  yield* new UnitExchange(market, slots).run();
  return closeSlots(slots);
}

const priceOf = (market: Market, slot: Slot): number => market.frontier.price[slot.offer] ?? 0;

/** Moves the slot to the cheapest offer that holds its load, and removes an empty slot. */
function shrink(market: Market, slot: Slot): void {
  if (slot.offer < 0) return;
  if (slot.group.length === 0) {
    exchangeOffer(market, slot, -1);
    return;
  }
  const price = priceOf(market, slot);
  const offer = market.offers.cheapest(slot.used, slot.group, price);
  if (offer >= 0 && comparePrices(market.frontier.price[offer] ?? 0, price) < 0)
    exchangeOffer(market, slot, offer);
}

/** The same for all nodes of a pattern. Not under limits, where each node changes what the next may use. */
function shrinkAll(market: Market, { pattern, times }: ChosenPattern): ChosenPattern {
  if (market.ledger.limited) return { pattern, times };
  const used = usedBy(market, pattern.group, pattern.units);
  const { group } = pattern;
  const offer = market.offers.cheapest(used, group, market.frontier.price[pattern.offer] ?? 0);
  return offer < 0 ? { pattern, times } : { pattern: { ...pattern, offer }, times };
}

const unitsOf = ({ groups }: Market): number => groups.units.reduce((sum, each) => sum + each, 0);

/** Empties the slots with the least value for their price into others, where that lowers the price. */
function* emptyPoorest(market: Market, slots: readonly Slot[], worth: Float64Array): Generator<void> {
  const value = (slot: Slot) =>
    slot.group.reduce((sum, group, i) => sum + (worth[group] ?? 0) * (slot.units[i] ?? 0), 0);
  const poorest = slots
    .filter((slot) => slot.offer >= 0)
    .map((slot, index) => ({ slot, index, ratio: priceOf(market, slot) / (value(slot) + 1e-12) }))
    .sort((a, b) => b.ratio - a.ratio || a.index - b.index);
  let placesLeft = placesPerUnit * unitsOf(market);
  for (const { slot } of poorest) {
    placesLeft -= slot.group.length * poorest.length;
    if (slot.offer >= 0) empty(market, slot, slots);
    if (placesLeft <= 0) return;
    yield;
  }
}

interface Move {
  readonly to: Slot;
  readonly group: number;
  readonly units: number;
}

function empty(market: Market, slot: Slot, slots: readonly Slot[]): void {
  const before = priceOf(market, slot);
  const moves: Move[] = [];
  for (const group of [...slot.group]) moves.push(...movedOut(market, { slot, group }, slots));
  if (moves.length === 0) return;
  shrink(market, slot);
  if (slot.offer < 0 || comparePrices(priceOf(market, slot), before) < 0) return;
  for (const { to, group, units } of moves) {
    shift(market, to, { group, units: -units });
    shift(market, slot, { group, units });
  }
  slot.used = usedBy(market, slot.group, slot.units);
}

/** Moves units of a group to other slots, in their order. */
function movedOut(
  market: Market,
  { slot, group }: { readonly slot: Slot; readonly group: number },
  slots: readonly Slot[],
): readonly Move[] {
  const moves: Move[] = [];
  let units = slot.units[slot.group.indexOf(group)] ?? 0;
  for (const to of slots) {
    if (units === 0) break;
    if (to === slot || to.offer < 0) continue;
    const part = Math.min(units, spare(market, to, group));
    if (part <= 0) continue;
    shift(market, to, { group, units: part });
    shift(market, slot, { group, units: -part });
    moves.push({ to, group, units: part });
    units -= part;
  }
  return moves;
}
