import type { ChosenPattern } from './chosen-patterns.ts';
import type { Market } from './market.ts';
import { closeSlots, openSlots, shrinkSlot, usedBy } from './slot.ts';
import { SlotEmptying } from './slot-emptying.ts';
import { SlotJoining } from './slot-joining.ts';
import { UnitExchange } from './unit-exchange.ts';

/** With more nodes than this the last few hardly change the price, and going through all takes long. */
const mostNodes = 6000;

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
  for (const slot of slots) shrinkSlot(market, slot);
  yield;
  for (let pass = 0; pass < 2; pass++) {
    yield* new SlotJoining(market).run(slots);
    yield* new SlotEmptying(market, slots, worth).run();
  }
  yield* new UnitExchange(market, slots).run();
  return closeSlots(slots);
}

/** The same for all nodes of a pattern. Not under limits, where each node changes what the next may use. */
function shrinkAll(market: Market, { pattern, times }: ChosenPattern): ChosenPattern {
  if (market.ledger.limited) return { pattern, times };
  const used = usedBy(market, pattern.group, pattern.units);
  const { group } = pattern;
  const offer = market.offers.cheapest(used, group, market.frontier.price[pattern.offer] ?? 0);
  return offer < 0 ? { pattern, times } : { pattern: { ...pattern, offer }, times };
}
