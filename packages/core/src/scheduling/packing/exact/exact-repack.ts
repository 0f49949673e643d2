import type { ChosenPattern } from '../chosen-patterns.ts';
import { type Cost, compareCosts } from '../cost.ts';
import { closeSlots, type Slot, usedBy } from '../improvement/slot.ts';
import type { Market } from '../market.ts';
import { cheapestCover, nodeTie } from './cheapest-cover.ts';
import { CountVectors, vectorsFor } from './count-vectors.ts';
import { SmallPatterns } from './small-patterns.ts';

/** With more nodes the savings are not worth the time (ADR 0057). */
const maxNodes = 40;
/** All nodes are divided again at once if their units have at most this many vectors of counts. */
const maxVectors = 60_000;
/** Two or three nodes with at most this many vectors are divided again. */
const maxVectorsOfFew = 1024;
/** More units hardly ever have that few vectors, and adding up units is much faster than counting vectors. */
const maxUnitsOfFew = 16;
/** The search through pairs and triples ends after this many vectors together. */
const maxVectorsTogether = 100_000;

/** The units on one node, by group. */
interface Load {
  readonly counts: ReadonlyMap<number, number>;
  readonly units: number;
  /** Index into the frontier. */
  readonly offer: number;
  readonly price: number;
}

/**
 * Divides the units of few nodes optimally: of all nodes at once if that is possible, otherwise of each pair
 * and triple until nothing gets cheaper. Filling by value is nearly optimal for many nodes but may be far off
 * for three. Not under reservations or limits, which `SmallPatterns` does not know.
 */
export function* repackExactly(
  market: Market,
  chosen: readonly ChosenPattern[],
): Generator<void, readonly ChosenPattern[]> {
  const nodes = chosen.reduce((sum, { times }) => sum + times, 0);
  if (nodes > maxNodes || nodes === 0 || market.ledger.limited) return chosen;
  const loads = chosen.flatMap((entry) => loadsOf(market, entry));
  const whole = vectorsFor(countsOf(loads)) <= maxVectors ? yield* cheaperLoads(market, loads) : 'unknown';
  if (whole === 'none') return chosen;
  yield;
  const best = whole === 'unknown' ? yield* repackFew(market, loads) : whole;
  return closeSlots(best.map((load) => slotOf(market, load)));
}

function loadsOf({ frontier }: Market, { pattern, times }: ChosenPattern): Load[] {
  const { offer, units } = pattern;
  const counts = new Map(Array.from(pattern.group, (group, i) => [group, units[i] ?? 0]));
  const price = frontier.price[offer] ?? 0;
  return Array.from({ length: times }, () => ({ counts, units: unitsOf(counts), offer, price }));
}

function unitsOf(counts: ReadonlyMap<number, number>): number {
  let units = 0;
  for (const count of counts.values()) units += count;
  return units;
}

function slotOf(market: Market, { counts, offer }: Load): Slot {
  const group = [...counts.keys()].sort((a, b) => a - b);
  const units = group.map((each) => counts.get(each) ?? 0);
  return { offer, group, units, used: usedBy(market, group, units) };
}

function countsOf(loads: readonly Load[]): ReadonlyMap<number, number> {
  const total = new Map<number, number>();
  for (const { counts } of loads)
    for (const [group, units] of counts) total.set(group, (total.get(group) ?? 0) + units);
  return total;
}

/** The units of the loads on other nodes that cost less together. */
function* cheaperLoads(
  market: Market,
  loads: readonly Load[],
): Generator<void, readonly Load[] | 'none' | 'unknown'> {
  const vectors = new CountVectors(countsOf(loads));
  const patterns = new SmallPatterns(market, vectors);
  const now = costOf(loads);
  const cover = yield* cheapestCover(vectors, patterns, now.price + now.nodes * nodeTie);
  if (typeof cover === 'string') return cover;
  const found = cover.map((vector) => {
    const counts = vectors.countsOf(vector);
    const offer = patterns.offer[vector] ?? 0;
    return { counts, units: unitsOf(counts), offer, price: patterns.price(vector) };
  });
  return compareCosts(costOf(found), now) < 0 ? found : 'none';
}

function costOf(loads: readonly Load[]): Cost {
  return { price: loads.reduce((sum, { price }) => sum + price, 0), nodes: loads.length };
}

/** Divides pairs and triples again, until none gets cheaper or the search has taken long enough. */
function* repackFew(market: Market, first: readonly Load[]): Generator<void, readonly Load[]> {
  const tried = new Set<string>();
  let loads = first;
  let vectors = 0;
  for (let better: readonly Load[] | undefined = loads; better !== undefined; ) {
    better = undefined;
    for (const few of fewOf(loads)) {
      const name = nameOf(few);
      if (tried.has(name)) continue;
      tried.add(name);
      vectors += vectorsFor(countsOf(few));
      if (vectors > maxVectorsTogether) return loads;
      const cheaper = yield* cheaperLoads(market, few);
      if (typeof cheaper === 'string') continue;
      better = [...loads.filter((load) => !few.includes(load)), ...cheaper];
      break;
    }
    loads = better ?? loads;
    yield;
  }
  return loads;
}

/** Equal for nodes with the same units on the same offers, which need not be tried again. */
function nameOf(few: readonly Load[]): string {
  return few
    .map(({ offer, counts }) => `${offer}:${[...counts].join(' ')}`)
    .sort()
    .join('|');
}

/** Pairs, then triples, of nodes with few enough vectors. */
function* fewOf(all: readonly Load[]): Generator<readonly Load[]> {
  // Most nodes of a large packing have too many units themselves.
  const loads = all.filter(({ units }) => units < maxUnitsOfFew);
  const isSmall = (few: readonly Load[]) =>
    few.reduce((sum, { units }) => sum + units, 0) <= maxUnitsOfFew &&
    vectorsFor(countsOf(few)) <= maxVectorsOfFew;
  const pairs: { readonly pair: readonly Load[]; readonly next: number }[] = [];
  for (const [a, first] of loads.entries()) {
    for (const [b, second] of loads.entries()) {
      if (b > a && isSmall([first, second])) pairs.push({ pair: [first, second], next: b + 1 });
    }
  }
  yield* pairs.map(({ pair }) => pair);
  for (const { pair, next } of pairs) {
    for (const third of loads.slice(next)) if (isSmall([...pair, third])) yield [...pair, third];
  }
}
