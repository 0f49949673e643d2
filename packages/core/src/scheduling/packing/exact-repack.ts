import { isLimited } from './ledger.ts';
import type { Machine, Packing, PackingProblem } from './packing-problem.ts';

/** Up to so many units on a few machines together are divided anew in every possible way. */
const mostUnits = 8;
/** And a few more where there are only so many machines, as the number of divisions allows for it. */
const mostUnitsOfFew = 10;
const fewMachines = 12;
/** Beyond so many machines the gain is not worth the time. */
const mostMachines = 40;
/** So many divisions are tried in all; what has not been looked at by then stays as it is. */
const mostDivisions = 100_000;
/** Less than this is rounding. */
const noMoney = 1e-9;

/** One machine and what is on it, item by item; an item stands as often as it has units there. */
interface Load {
  readonly items: readonly number[];
  readonly offer: number;
  readonly price: number;
}

/**
 * Divides the units of each pair and triple of machines in the best way there is, until nothing gets cheaper.
 * Filling by value is nearly right for many machines and may be far off for three; this is for those.
 */
export function repackExactly(problem: PackingProblem, packing: Packing): Packing {
  const machines = packing.machines.reduce((sum, { times }) => sum + times, 0);
  if (machines > mostMachines || machines < 2 || isLimited(problem)) return packing;
  const solver = new SmallSolver(problem);
  let loads: readonly Load[] = packing.machines.flatMap((machine) => loadsOf(problem, machine));
  for (let better = improved(loads, solver); better !== undefined; better = improved(loads, solver))
    loads = better;
  return { machines: loads.map(machineOf), unplaced: packing.unplaced };
}

function loadsOf({ offers }: PackingProblem, { times, offer, contents }: Machine): Load[] {
  const items = contents.flatMap(([item, count]) => Array.from({ length: count }, () => item));
  const price = offers[offer]?.price ?? 0;
  return Array.from({ length: times }, () => ({ items, offer, price }));
}

function machineOf({ items, offer }: Load): Machine {
  const counts = new Map<number, number>();
  for (const item of [...items].sort((a, b) => a - b)) counts.set(item, (counts.get(item) ?? 0) + 1);
  return { times: 1, offer, contents: [...counts] };
}

/** The loads with the first few that can be had for less replaced; undefined if there are none. */
function improved(loads: readonly Load[], solver: SmallSolver): readonly Load[] | undefined {
  for (const chosen of fewOf(loads)) {
    const items = chosen.flatMap((index) => loads[index]?.items ?? []).sort((a, b) => a - b);
    const now = chosen.reduce((sum, index) => sum + (loads[index]?.price ?? 0), 0);
    const best = solver.cheapest(items);
    const price = best.reduce((sum, load) => sum + load.price, 0);
    if (best.length === 0 || price > now - noMoney) continue;
    return [...loads.filter((_, index) => !chosen.includes(index)), ...best];
  }
  return undefined;
}

/** Pairs, then triples, of machines with few enough units. */
function* fewOf(loads: readonly Load[]): Generator<readonly number[]> {
  const units = (index: number) => loads[index]?.items.length ?? 0;
  const most = loads.length <= fewMachines ? mostUnitsOfFew : mostUnits;
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

/** The cheapest division of a handful of units over machines, by trying all of them. */
class SmallSolver {
  readonly #problem: PackingProblem;
  readonly #byPrice: readonly number[];
  readonly #loads = new Map<string, Load | undefined>();
  readonly #solved = new Map<string, readonly Load[]>();
  #divisions = 0;

  constructor(problem: PackingProblem) {
    this.#problem = problem;
    this.#byPrice = problem.offers
      .map((_, index) => index)
      .sort((a, b) => (problem.offers[a]?.price ?? 0) - (problem.offers[b]?.price ?? 0) || a - b);
  }

  /** Nothing if the units cannot be placed, or enough has been tried. */
  cheapest(items: readonly number[]): readonly Load[] {
    const name = items.join();
    const known = this.#solved.get(name);
    if (known !== undefined) return known;
    this.#divisions += 3 ** items.length;
    if (this.#divisions > mostDivisions) return [];
    const solved = this.#solve(items);
    this.#solved.set(name, solved);
    return solved;
  }

  /** Subset by subset, from the small to the large: a machine for a part of it, and the best for the rest. */
  #solve(items: readonly number[]): readonly Load[] {
    const subsets = 1 << items.length;
    const loads = Array.from({ length: subsets }, (_, part) =>
      part === 0 ? undefined : this.#load(items, part),
    );
    const alone = Float64Array.from(loads, (load) => load?.price ?? Number.POSITIVE_INFINITY);
    const price = new Float64Array(subsets).fill(Number.POSITIVE_INFINITY);
    const chosen = new Int32Array(subsets);
    price[0] = 0;
    for (let subset = 1; subset < subsets; subset++) {
      const lowest = subset & -subset;
      for (let part = subset; part > 0; part = (part - 1) & subset) {
        if ((part & lowest) === 0) continue;
        const cost = (alone[part] ?? 0) + (price[subset & ~part] ?? 0);
        if (cost >= (price[subset] ?? 0)) continue;
        price[subset] = cost;
        chosen[subset] = part;
      }
    }
    return Number.isFinite(price[subsets - 1] ?? 0) ? collect(loads, chosen, subsets - 1) : [];
  }

  #load(items: readonly number[], part: number): Load | undefined {
    const taken = items.filter((_, index) => (part & (1 << index)) !== 0);
    const name = taken.join();
    if (this.#loads.has(name)) return this.#loads.get(name);
    const load = this.#cheapestMachine(taken);
    this.#loads.set(name, load);
    return load;
  }

  #cheapestMachine(items: readonly number[]): Load | undefined {
    if (!this.#mayShare(items)) return undefined;
    const { offers, resources } = this.#problem;
    const size = new Float64Array(resources);
    for (const item of items) {
      for (let axis = 0; axis < resources; axis++) {
        size[axis] = (size[axis] ?? 0) + (this.#problem.items[item]?.size[axis] ?? 0);
      }
    }
    const offer = this.#byPrice.find((index) => {
      const room = offers[index]?.room;
      return (
        room !== undefined &&
        size.every((amount, axis) => amount <= (room[axis] ?? 0)) &&
        this.#allowed(items, index)
      );
    });
    return offer === undefined ? undefined : { items, offer, price: offers[offer]?.price ?? 0 };
  }

  #mayShare(items: readonly number[]): boolean {
    const { caps, conflicts } = this.#problem;
    const present = new Set(items);
    if (conflicts.some(([a, b]) => present.has(a) && present.has(b))) return false;
    return caps.every((cap) => items.filter((item) => cap.items.includes(item)).length <= cap.most);
  }

  #allowed(items: readonly number[], offer: number): boolean {
    return items.every((item) => {
      const word = this.#problem.items[item]?.offers[offer >>> 5] ?? 0;
      return (word & (1 << (offer & 31))) !== 0;
    });
  }
}

function collect(loads: readonly (Load | undefined)[], chosen: Int32Array, all: number): readonly Load[] {
  const found: Load[] = [];
  for (let left = all; left > 0; left &= ~(chosen[left] ?? left)) {
    const load = loads[chosen[left] ?? 0];
    if (load !== undefined) found.push(load);
  }
  return found;
}
