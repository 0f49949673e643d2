import { type ChosenPattern, describePacking } from './chosen-patterns.ts';
import { repackExactly } from './exact-repack.ts';
import { improve } from './improvement.ts';
import { type Market, openMarket } from './market.ts';
import { buyForOneGroup } from './one-group.ts';
import type { Packing, PackingProblem } from './packing-problem.ts';
import type { Pattern, PatternSearch } from './pattern-search.ts';
import { Purchase } from './purchase.ts';
import { Valuation } from './valuation.ts';

const mostPlans = 4;
const firstRounds = 2;
const laterRounds = 1;
/** From so many units on, each doubling is worth another round: there is more money in it, and time for it. */
const fewUnits = 5000;
/** How much of a plan is bought before what is left is planned again. */
const partBought = 0.7;
/** A node that costs so much more than it is worth is only bought after planning again. */
const poorFactor = 1.05;

/** After so many nodes of the rest all offers are looked at again. */
const nodesBetweenSweeps = 64;

/** Buys nodes for all items at a low total price. The same problem gives the same packing. */
export function pack(problem: PackingProblem): Packing {
  const steps = packSteps(problem);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Like `pack`, but pauses between rounds of planning and after each purchase, so that others get their turn;
 * when told to stop, what is bought by then is the packing.
 */
export function* packSteps(problem: PackingProblem): Generator<void, Packing, PackingSignal> {
  const opening = openMarket(problem);
  for (let step = opening.next(); ; step = opening.next()) {
    if (step.done) return yield* buyFrom(problem, step.value);
    if ((yield) === 'stop') return nothingBought(problem);
  }
}

/** What may be answered to a pause: nothing to go on, or to stop and take what is bought. */
export type PackingSignal = 'stop' | undefined;

function nothingBought({ items }: PackingProblem): Packing {
  return { nodes: [], unplaced: Uint32Array.from(items, ({ count }) => count), isStopped: true };
}

function* buyFrom(problem: PackingProblem, market: Market): Generator<void, Packing, PackingSignal> {
  const purchase = new Purchase(market);
  const buying = buyAll(market, purchase);
  for (let step = buying.next(); ; step = buying.next()) {
    if (step.done) return { ...describePacking(problem, market, step.value), isStopped: false };
    if ((yield) === 'stop') return { ...describePacking(problem, market, purchase.bought), isStopped: true };
  }
}

function* buyAll(market: Market, purchase: Purchase): Generator<void, readonly ChosenPattern[]> {
  if (!market.ledger.limited) buyForLastGroup(market, purchase);
  if (!purchase.wants) return purchase.bought;
  const valuation = new Valuation(market);
  yield* buyByValue(purchase, valuation);
  const improved = yield* improve(market, purchase.bought, valuation.worth);
  return yield* repackExactly(market, improved);
}

function buyForLastGroup(market: Market, purchase: Purchase): void {
  const group = purchase.onlyGroup;
  if (group !== undefined) buyForOneGroup(market, purchase, group);
}

function* buyByValue(purchase: Purchase, valuation: Valuation): Generator<void> {
  const extra = extraRounds(purchase.left);
  for (let plan = 0; plan < mostPlans && purchase.wants; plan++) {
    const cost = yield* valuation.refresh(purchase.left, extra + (plan === 0 ? firstRounds : laterRounds));
    yield;
    const before = purchase.bought.length;
    yield* buyPlanned(purchase, valuation, cost * partBought);
    if (purchase.bought.length === before) break;
  }
  yield* buyRest(purchase, valuation);
}

function extraRounds(left: Float64Array): number {
  const units = left.reduce((sum, each) => sum + each, 0);
  return Math.max(0, Math.ceil(Math.log2(units / fewUnits)));
}

/** Buys whole nodes of the fractional plan up to a part of its cost. */
function* buyPlanned(purchase: Purchase, { nodes, search }: Valuation, part: number): Generator<void> {
  for (let value = 0, poor = Number.POSITIVE_INFINITY; value < part || value === 0; ) {
    const pattern = search.best(purchase.left, nodes);
    if (!pattern || pattern.ratio > poor) return;
    poor = Math.min(poor, poorFactor * Math.max(1, pattern.ratio));
    const planned = Math.round(nodes[pattern.offer] ?? 0);
    const times = purchase.buy(pattern, Math.min(planned, Math.ceil((part - value) / pattern.value)));
    nodes[pattern.offer] = (nodes[pattern.offer] ?? 0) - times;
    value += pattern.value * times;
    yield;
  }
}

function* buyRest(purchase: Purchase, { search }: Valuation): Generator<void> {
  search.reconsider(false);
  for (let bought = 1; purchase.wants; bought++) {
    const pattern = search.best(purchase.left) ?? lastResort(purchase, search);
    if (!pattern) return;
    purchase.buy(pattern, Number.POSITIVE_INFINITY);
    if (bought % nodesBetweenSweeps === 0) search.reconsider(false);
    yield;
  }
}

function lastResort(purchase: Purchase, search: PatternSearch): Pattern | undefined {
  search.reconsider(true);
  return search.best(purchase.left);
}
