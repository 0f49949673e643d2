import type { ChosenPattern } from './chosen-patterns.ts';
import { type Cost, compareCosts, comparePrices } from './cost.ts';
import type { ItemGroups, Lists } from './item-groups.ts';
import type { Market } from './market.ts';
import { cheapestOffer, closeSlots, type Slot, usedBy } from './slot.ts';

/** Two or three nodes with at most this many units together are divided again in every possible way. */
const mostUnits = 8;
/** With few nodes there is time for more units. */
const mostUnitsOfFew = 10;
const fewNodes = 12;
/** With more nodes the gain is not worth the time. */
const mostNodes = 40;
/** The search ends after this many divisions and keeps what it has. */
const mostDivisions = 100_000;

/** The units on one node: a group is listed once for each of its units. */
interface Load {
  readonly groups: readonly number[];
  /** Index into the frontier. */
  readonly offer: number;
  readonly price: number;
}

/**
 * Divides the units of each pair and triple of nodes optimally, until nothing gets cheaper. Filling by value
 * is nearly optimal for many nodes but may be far off for three; this is for small packings.
 */
export function* repackExactly(
  market: Market,
  chosen: readonly ChosenPattern[],
): Generator<void, readonly ChosenPattern[]> {
  const nodes = chosen.reduce((sum, { times }) => sum + times, 0);
  if (nodes > mostNodes || nodes < 2 || market.ledger.limited) return chosen;
  const solver = new SmallSolver(market);
  let loads: readonly Load[] = chosen.flatMap((entry) => loadsOf(market, entry));
  for (let better = improved(loads, solver); better !== undefined; better = improved(loads, solver)) {
    loads = better;
    yield;
  }
  return closeSlots(loads.map((load) => slotOf(market, load)));
}

function loadsOf({ frontier }: Market, { pattern, times }: ChosenPattern): Load[] {
  const { offer, units } = pattern;
  const groups = [...pattern.group].flatMap((group, i) => new Array<number>(units[i] ?? 0).fill(group));
  const price = frontier.price[offer] ?? 0;
  return Array.from({ length: times }, () => ({ groups, offer, price }));
}

function slotOf(market: Market, { groups, offer }: Load): Slot {
  const counts = new Map<number, number>();
  for (const group of [...groups].sort((a, b) => a - b)) counts.set(group, (counts.get(group) ?? 0) + 1);
  const group = [...counts.keys()];
  const units = [...counts.values()];
  return { offer, group, units, used: usedBy(market, group, units) };
}

/** The loads with the first pair or triple that can be cheaper replaced; undefined if there is none. */
function improved(loads: readonly Load[], solver: SmallSolver): readonly Load[] | undefined {
  for (const chosen of fewOf(loads)) {
    const groups = chosen.flatMap((index) => loads[index]?.groups ?? []).sort((a, b) => a - b);
    const best = solver.cheapest(groups);
    if (best.length === 0) continue;
    const now = chosen.flatMap((index) => loads[index] ?? []);
    if (compareCosts(costOf(best), costOf(now)) >= 0) continue;
    return [...loads.filter((_, index) => !chosen.includes(index)), ...best];
  }
  return undefined;
}

function costOf(loads: readonly Load[]): Cost {
  return { price: loads.reduce((sum, { price }) => sum + price, 0), nodes: loads.length };
}

/** Pairs, then triples, of nodes with few enough units. */
function* fewOf(loads: readonly Load[]): Generator<readonly number[]> {
  const units = (index: number) => loads[index]?.groups.length ?? 0;
  const most = loads.length <= fewNodes ? mostUnitsOfFew : mostUnits;
  const pairs: (readonly [number, number])[] = [];
  for (let a = 0; a < loads.length; a++) {
    for (let b = a + 1; b < loads.length; b++) if (units(a) + units(b) <= most) pairs.push([a, b]);
  }
  yield* pairs;
  for (const [a, b] of pairs) {
    for (let c = b + 1; c < loads.length; c++) {
      if (units(a) + units(b) + units(c) <= most) yield [a, b, c];
    }
  }
}

/** Finds the cheapest division of a few units over nodes by dynamic programming over their subsets. */
class SmallSolver {
  readonly #market: Market;
  readonly #loads = new Map<string, Load | undefined>();
  readonly #solved = new Map<string, readonly Load[]>();
  #divisions = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  /** Empty if the units cannot be placed or the search has ended. */
  cheapest(groups: readonly number[]): readonly Load[] {
    const name = groups.join();
    const known = this.#solved.get(name);
    if (known !== undefined) return known;
    this.#divisions += 3 ** groups.length;
    if (this.#divisions > mostDivisions) return [];
    const solved = this.#solve(groups);
    this.#solved.set(name, solved);
    return solved;
  }

  /** Solves subsets in ascending order: one node for a part, and the known best for the rest. */
  #solve(groups: readonly number[]): readonly Load[] {
    const subsets = 1 << groups.length;
    const loads = Array.from({ length: subsets }, (_, part) =>
      part === 0 ? undefined : this.#load(groups, part),
    );
    const alone = Float64Array.from(loads, (load) => load?.price ?? Number.POSITIVE_INFINITY);
    const price = new Float64Array(subsets).fill(Number.POSITIVE_INFINITY);
    const nodes = new Uint8Array(subsets);
    const chosen = new Int32Array(subsets);
    price[0] = 0;
    for (let subset = 1; subset < subsets; subset++) divide(subset, { alone, price, nodes, chosen });
    return Number.isFinite(price[subsets - 1] ?? 0) ? collect(loads, chosen, subsets - 1) : [];
  }

  #load(groups: readonly number[], part: number): Load | undefined {
    const taken = groups.filter((_, index) => (part & (1 << index)) !== 0);
    const name = taken.join();
    if (this.#loads.has(name)) return this.#loads.get(name);
    const load = this.#cheapestNode(taken);
    this.#loads.set(name, load);
    return load;
  }

  #cheapestNode(groups: readonly number[]): Load | undefined {
    if (!mayShare(this.#market.groups, groups)) return undefined;
    const used = usedBy(this.#market, groups, new Uint8Array(groups.length).fill(1));
    const offer = cheapestOffer(this.#market, { used, group: groups }, Number.POSITIVE_INFINITY);
    return offer < 0 ? undefined : { groups, offer, price: this.#market.frontier.price[offer] ?? 0 };
  }
}

/** By subset of the units. */
interface Divisions {
  /** The price of one node for the whole subset. */
  readonly alone: Float64Array;
  /** The lowest price, with its number of nodes and the part of the subset on one of them. */
  readonly price: Float64Array;
  readonly nodes: Uint8Array;
  readonly chosen: Int32Array;
}

/** Finds the best division of a subset from those of its own subsets. */
function divide(subset: number, { alone, price, nodes, chosen }: Divisions): void {
  const lowest = subset & -subset;
  for (let part = subset; part > 0; part = (part - 1) & subset) {
    if ((part & lowest) === 0) continue;
    const cost = (alone[part] ?? 0) + (price[subset & ~part] ?? 0);
    const count = 1 + (nodes[subset & ~part] ?? 0);
    if ((comparePrices(cost, price[subset] ?? 0) || count - (nodes[subset] ?? 0)) >= 0) continue;
    price[subset] = cost;
    nodes[subset] = count;
    chosen[subset] = part;
  }
}

function mayShare({ caps, capMost, conflicts }: ItemGroups, groups: readonly number[]): boolean {
  const conflicting = groups.flatMap((group) => [...entriesOf(conflicts, group)]);
  if (conflicting.some((group) => groups.includes(group))) return false;
  const counted = new Map<number, number>();
  for (const cap of groups.flatMap((group) => [...entriesOf(caps, group)]))
    counted.set(cap, (counted.get(cap) ?? 0) + 1);
  return [...counted].every(([cap, count]) => count <= (capMost[cap] ?? 0));
}

const entriesOf = ({ start, entries }: Lists, index: number): Uint32Array =>
  entries.subarray(start[index], start[index + 1]);

function collect(loads: readonly (Load | undefined)[], chosen: Int32Array, all: number): readonly Load[] {
  const found: Load[] = [];
  for (let left = all; left > 0; left &= ~(chosen[left] ?? left)) {
    const load = loads[chosen[left] ?? 0];
    if (load !== undefined) found.push(load);
  }
  return found;
}
