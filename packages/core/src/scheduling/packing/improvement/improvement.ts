import type { ChosenPattern } from '../chosen-patterns.ts';
import type { Market } from '../market.ts';
import { closeSlots, openSlots, shrinkSlot, usedBy } from './slot.ts';
import { SlotEmptying } from './slot-emptying.ts';
import { SlotJoining } from './slot-joining.ts';
import { UnitExchange } from './unit-exchange.ts';

/** With more nodes than this, single nodes hardly change the price, and improving each takes long (ADR 0007). */
const maxNodes = 6000;

/** Improves the chosen nodes locally: uses cheaper offers, joins nodes, empties nodes into others, moves units. */
export function* improve(
  market: Market,
  chosen: readonly ChosenPattern[],
  worth: Float64Array,
): Generator<void, ChosenPattern[]> {
  const total = chosen.reduce((sum, { times }) => sum + times, 0);
  if (total > maxNodes) return chosen.map((entry) => shrinkAll(market, entry));
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

/** Shrinks all nodes of a pattern at once. Not under limits, where each node changes what the next may use. */
function shrinkAll(market: Market, { pattern, times }: ChosenPattern): ChosenPattern {
  if (market.ledger.limited) return { pattern, times };
  const used = usedBy(market, pattern.group, pattern.units);
  const { group } = pattern;
  const offer = market.offers.cheapest(used, group, market.frontier.price[pattern.offer] ?? 0);
  return offer < 0 ? { pattern, times } : { pattern: { ...pattern, offer }, times };
}
