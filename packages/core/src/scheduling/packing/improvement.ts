import type { ChosenPattern } from './chosen-patterns.ts';
import { comparePrices } from './cost.ts';
import type { Market } from './market.ts';
import { cheapestOffer, closeSlots, openSlots, type Slot, shift, spare, usedBy } from './slot.ts';

/** With more nodes than this the last few hardly matter, and going through all takes long. */
const mostNodes = 6000;
const partners = 4;
const mostEmptied = 32;

/** Nodes bought, made cheaper one by one where that is easy: put together, emptied into others, made smaller. */
export function* improve(
  market: Market,
  bought: readonly ChosenPattern[],
  worth: Float64Array,
): Generator<void, ChosenPattern[]> {
  const total = bought.reduce((sum, { times }) => sum + times, 0);
  if (total > mostNodes) return bought.map((entry) => shrinkAll(market, entry));
  const slots = openSlots(market, bought);
  for (const slot of slots) shrink(market, slot);
  yield;
  for (let pass = 0; pass < 2; pass++) {
    joinNeighbours(market, slots);
    yield;
    yield* emptyPoorest(market, slots, worth);
  }
  return closeSlots(slots);
}

const priceOf = (market: Market, slot: Slot): number => market.frontier.price[slot.offer] ?? 0;

/** Exchanges the slot's offer; the ledger follows. */
function exchange(market: Market, slot: Slot, offer: number): void {
  const { frontier, ledger } = market;
  if (slot.offer >= 0) ledger.buy(frontier.offer[slot.offer] ?? 0, -1);
  if (offer >= 0) ledger.buy(frontier.offer[offer] ?? 0, 1);
  slot.offer = offer;
}

/** Takes the cheapest offer that holds what is in the slot; none when nothing is. */
function shrink(market: Market, slot: Slot): void {
  if (slot.offer < 0) return;
  if (slot.group.length === 0) {
    exchange(market, slot, -1);
    return;
  }
  const price = priceOf(market, slot);
  const offer = cheapestOffer(market, slot.used, slot.group, price);
  if (offer >= 0 && comparePrices(market.frontier.price[offer] ?? 0, price) < 0)
    exchange(market, slot, offer);
}

/** The same for many nodes filled alike, where none is limited in number. */
function shrinkAll(market: Market, { pattern, times }: ChosenPattern): ChosenPattern {
  if (market.ledger.limited) return { pattern, times };
  const used = usedBy(market, pattern.group, pattern.units);
  const offer = cheapestOffer(market, used, pattern.group, market.frontier.price[pattern.offer] ?? 0);
  return offer < 0 ? { pattern, times } : { pattern: { ...pattern, offer }, times };
}

/** Puts nodes of alike price together where one that holds both costs no more. */
function joinNeighbours(market: Market, slots: readonly Slot[]): void {
  const order = slots.filter((slot) => slot.offer >= 0);
  order.sort((a, b) => a.offer - b.offer);
  for (let i = 0; i < order.length; i++) {
    const slot = order[i];
    for (let j = i + 1; slot && j < order.length && j <= i + partners; j++) {
      const other = order[j];
      if (other && slot.offer >= 0 && other.offer >= 0) join(market, slot, other);
    }
  }
}

/** Puts all into the second. */
function join(market: Market, slot: Slot, other: Slot): void {
  const used = slot.used.map((amount, r) => amount + (other.used[r] ?? 0));
  const most = priceOf(market, slot) + priceOf(market, other);
  const offer = cheapestOffer(market, used, [...slot.group, ...other.group], most);
  if (offer < 0) return;
  const before = other.offer;
  // Rules of number and company are asked as if the node were bought already.
  other.offer = offer;
  const moved = moveAll(market, slot, other);
  other.offer = before;
  if (!moved) return;
  exchange(market, other, offer);
  exchange(market, slot, -1);
}

function moveAll(market: Market, from: Slot, to: Slot): boolean {
  const before = { group: [...to.group], units: [...to.units], used: to.used.slice() };
  for (let i = 0; i < from.group.length; i++) {
    const group = from.group[i] ?? 0;
    const units = from.units[i] ?? 0;
    if (spare(market, to, group) < units) {
      Object.assign(to, before);
      return false;
    }
    shift(market, to, group, units);
  }
  return true;
}

/** Moves what it can out of the nodes that give least for their price, as long as that saves something. */
function* emptyPoorest(market: Market, slots: readonly Slot[], worth: Float64Array): Generator<void> {
  const value = (slot: Slot) =>
    slot.group.reduce((sum, group, i) => sum + (worth[group] ?? 0) * (slot.units[i] ?? 0), 0);
  const poorest = slots
    .filter((slot) => slot.offer >= 0)
    .map((slot, index) => ({ slot, index, ratio: priceOf(market, slot) / (value(slot) + 1e-12) }))
    .sort((a, b) => b.ratio - a.ratio || a.index - b.index)
    .slice(0, mostEmptied);
  for (const { slot } of poorest) {
    if (slot.offer >= 0) empty(market, slot, slots);
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
  for (const group of [...slot.group]) moveOut(market, slot, group, slots, moves);
  if (moves.length === 0) return;
  shrink(market, slot);
  if (slot.offer < 0 || comparePrices(priceOf(market, slot), before) < 0) return;
  for (const { to, group, units } of moves) {
    shift(market, to, group, -units);
    shift(market, slot, group, units);
  }
  slot.used = usedBy(market, slot.group, slot.units);
}

function moveOut(market: Market, slot: Slot, group: number, slots: readonly Slot[], moves: Move[]): void {
  let units = slot.units[slot.group.indexOf(group)] ?? 0;
  for (const to of slots) {
    if (units === 0) return;
    if (to === slot || to.offer < 0) continue;
    const part = Math.min(units, spare(market, to, group));
    if (part <= 0) continue;
    shift(market, to, group, part);
    shift(market, slot, group, -part);
    moves.push({ to, group, units: part });
    units -= part;
  }
}
