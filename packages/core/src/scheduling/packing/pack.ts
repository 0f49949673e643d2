import { type ChosenPattern, describePacking } from './chosen-patterns.ts';
import { repackExactly } from './exact/exact-repack.ts';
import { improve } from './improvement/improvement.ts';
import { type Market, openMarket } from './market.ts';
import { buyForOneGroup } from './one-group.ts';
import type { Offer, Packing, PackingProblem } from './packing-problem.ts';
import type { Pattern, PatternSearch } from './patterns/pattern-search.ts';
import { Purchase } from './purchase.ts';
import { marginalPrices, totalDemand } from './valuation/resource-prices.ts';
import { Valuation } from './valuation/valuation.ts';

/** How often the units that are left are solved again. More solutions did not lower prices (ADR 0007). */
const maxSolutions = 4;
/** Rounds of column generation for the first solution and for later ones (ADR 0057). */
const firstRounds = 4;
const laterRounds = 2;
/** With a row for each group, patterns of the solution are bought as they are: a better solution pays (ADR 0057). */
const exactRounds = 8;
const exactLaterRounds = 3;
/** Each doubling of the units beyond this adds a round: larger packings save more money and may take longer. */
const fewUnits = 5000;
/** The part of a fractional solution that becomes whole nodes before the rest is solved again. */
const partBought = 0.7;
/** A pattern waits for the next solution if its price for its worth exceeds that of the best one by this factor. */
const poorFactor = 1.05;

/** While the last units are packed, all offers are filled again after this many patterns. */
const nodesBetweenSweeps = 64;

/**
 * Packs all items on nodes at a low total price (ADR 0007). Deterministic: the same problem gives the same packing.
 * The stages are the folders here: `offers` leaves out offers that no cheap packing has, `valuation` says what a unit of
 * each group is worth, `patterns` fills offers by worth, `improvement` joins, empties and shrinks nodes, and `exact`
 * divides few nodes optimally.
 *
 * This is a cutting stock problem, solved by column generation: `Valuation` finds the worth of a unit of each group
 * (the duals of a covering linear programme whose columns are filled nodes), `PatternSearch` fills offers with the
 * most worth for their price, and `Purchase` records the nodes that are chosen. The fractional solution is rounded
 * step by step, because each purchase changes the worth of the rest. `improve` and `repackExactly` then repair what
 * rounding lost.
 */
export function pack(problem: PackingProblem): Packing {
  const steps = packSteps(problem);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * As `pack`, but yields between rounds and after each pattern, so that the caller can do other work. After
 * the signal `stop` the packing consists of the nodes chosen by then.
 */
export function* packSteps(problem: PackingProblem): Generator<void, Packing, PackingSignal> {
  const opening = openMarket(problem);
  for (let step = opening.next(); ; step = opening.next()) {
    if (step.done) return yield* buyFrom(problem, step.value);
    if ((yield) === 'stop') return nothingBought(problem);
  }
}

/** What the caller passes to `next`: `undefined` to continue, `stop` to end with the nodes chosen so far. */
export type PackingSignal = 'stop' | undefined;

function nothingBought({ items }: PackingProblem): Packing {
  return { nodes: [], unplaced: Uint32Array.from(items, ({ count }) => count), isStopped: true };
}

function* buyFrom(problem: PackingProblem, market: Market): Generator<void, Packing, PackingSignal> {
  const purchase = new Purchase(market);
  const buying = buyAll(market, purchase, problem.alternatives ?? []);
  for (let step = buying.next(); ; step = buying.next()) {
    if (step.done) return { ...describePacking(problem, market, step.value), isStopped: false };
    if ((yield) === 'stop') return { ...describePacking(problem, market, purchase.chosen), isStopped: true };
  }
}

function* buyAll(
  market: Market,
  purchase: Purchase,
  alternatives: readonly Offer[],
): Generator<void, readonly ChosenPattern[]> {
  // The exact method for one group does not know reservations and limits.
  if (!market.ledger.limited) buyForOnlyGroup(market, purchase);
  if (!purchase.hasUnitsLeft) return purchase.chosen;
  const valuation = new Valuation(market);
  if (alternatives.length === 0) {
    yield* buyByValue(purchase, valuation);
  } else {
    valuation.valueByPrices(marginalPrices(totalDemand(market.groups), alternatives), purchase.left);
    yield* buyRest(purchase, valuation);
  }
  const improved = yield* improve(market, purchase.chosen, valuation.worth);
  return yield* repackExactly(market, improved);
}

function buyForOnlyGroup(market: Market, purchase: Purchase): void {
  const group = purchase.onlyGroup;
  if (group !== undefined) buyForOneGroup(market, purchase, group);
}

function* buyByValue(purchase: Purchase, valuation: Valuation): Generator<void> {
  const extra = extraRounds(purchase.left);
  for (let solution = 0; solution < maxSolutions && purchase.hasUnitsLeft; solution++) {
    const cost = yield* valuation.refresh(purchase.left, extra + roundsOf(solution, valuation));
    yield;
    const before = purchase.chosen.length;
    // Filling by value again would lose about 1 % on top of an exact solution (ADR 0057).
    if (valuation.isExact) purchase.buyAvailable(valuation.wholePatterns());
    if (purchase.chosen.length === before) yield* buySolution(purchase, valuation, cost * partBought);
    if (purchase.chosen.length === before) break;
  }
  yield* buyRest(purchase, valuation);
}

function roundsOf(solution: number, { isExact }: Valuation): number {
  if (isExact) return solution === 0 ? exactRounds : exactLaterRounds;
  return solution === 0 ? firstRounds : laterRounds;
}

function extraRounds(left: Float64Array): number {
  const units = left.reduce((sum, each) => sum + each, 0);
  return Math.max(0, Math.ceil(Math.log2(units / fewUnits)));
}

/** Turns the best patterns of the fractional solution into whole nodes, up to a part of its cost. */
function* buySolution(purchase: Purchase, { nodes, search }: Valuation, part: number): Generator<void> {
  for (let value = 0, poor = Number.POSITIVE_INFINITY; value < part || value === 0; ) {
    const pattern = search.best(purchase.left, nodes);
    if (!pattern || pattern.ratio > poor) return;
    poor = Math.min(poor, poorFactor * Math.max(1, pattern.ratio));
    const wanted = Math.round(nodes[pattern.offer] ?? 0);
    const times = purchase.buy(pattern, Math.min(wanted, Math.ceil((part - value) / pattern.value)));
    nodes[pattern.offer] = (nodes[pattern.offer] ?? 0) - times;
    value += pattern.value * times;
    yield;
  }
}

/** Packs the last units greedily by the best pattern: fractions of so few nodes say nothing about whole ones. */
function* buyRest(purchase: Purchase, { search }: Valuation): Generator<void> {
  search.reconsider(false);
  for (let bought = 1; purchase.hasUnitsLeft; bought++) {
    const pattern = search.best(purchase.left) ?? lastResort(purchase, search);
    if (!pattern) return;
    purchase.buy(pattern, Number.POSITIVE_INFINITY);
    if (bought % nodesBetweenSweeps === 0) search.reconsider(false);
    yield;
  }
}

/** Searches all offers, when no candidate has room for any unit that is left. */
function lastResort(purchase: Purchase, search: PatternSearch): Pattern | undefined {
  search.reconsider(true);
  return search.best(purchase.left);
}
