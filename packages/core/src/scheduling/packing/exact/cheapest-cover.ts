import { CoverProgram } from '../valuation/cover-program.ts';
import type { CountVectors } from './count-vectors.ts';
import type { SmallPatterns } from './small-patterns.ts';
import { StateHeap } from './state-heap.ts';

/** Enough for the linear programme of a few groups. */
const maxPivots = 400;
/** Added to the price of each node, so that of equal prices the cover with fewer nodes wins. */
export const nodeTie = 1e-8;

/** A node that a cover may contain: a vector of counts, and how much more it costs than its units are worth. */
interface Column {
  readonly counts: readonly number[];
  readonly surplus: number;
}

/**
 * Vectors, one for each node, whose sum is all units; `none` if no cover costs less than the known one, `unknown` if
 * the search took too long.
 */
export type Cover = readonly number[] | 'none' | 'unknown';

/** How many columns all searches for one cover may try together, which takes half a second (ADR 0057). */
const maxTried = 10_000_000;

/**
 * The cheapest way to divide all units over nodes.
 *
 * The duals of a linear programme give the worth of a unit of each group: no node costs less than its units are worth,
 * so the worth of all units is a lower bound of the price of any cover. What a cover costs above the bound is the
 * surplus of its nodes plus the worth of units that it covers twice, none of which is negative. The cheapest cover is
 * therefore a shortest path from all units to none, and only nodes with little surplus can be on it (ADR 0057).
 *
 * @param below the cost of a known cover, `nodeTie` for each node included
 */
export function* cheapestCover(
  vectors: CountVectors,
  patterns: SmallPatterns,
  below: number,
): Generator<void, Cover> {
  const maximal = patterns.maximal();
  const worth = worthOfUnits(vectors, patterns, maximal);
  if (worth === undefined) return 'none';
  const bound = vectors.units.reduce((sum, units, position) => sum + units * (worth[position] ?? 0), 0);
  const gap = below - bound;
  if (!(gap > nodeTie)) return 'none';
  const all = maximal.map((vector) => columnOf(vectors, patterns, { vector, worth }));
  const budget = { tried: 0 };
  for (const part of partsOfGap) {
    const most = part * gap;
    const columns = all.filter(({ surplus }) => surplus < most);
    const cover = yield* new ShortestPath({ vectors, columns, worth, budget }).search(most);
    if (cover !== 'none') return cover;
  }
  return 'none';
}

/**
 * Covers close to the bound are searched first: the cheapest one is mostly much closer to it than the known one, and
 * the search takes far longer the more a cover may cost.
 */
const partsOfGap = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** The duals of covering all units by fractions of nodes; undefined if some unit fits on no node. */
function worthOfUnits(
  vectors: CountVectors,
  patterns: SmallPatterns,
  maximal: readonly number[],
): Float64Array | undefined {
  const { groups, units } = vectors;
  const alone = Float64Array.from(groups, (_, position) => priceAlone(vectors, patterns, position));
  if (!alone.every(Number.isFinite)) return undefined;
  const program = new CoverProgram(alone);
  const part = new Float64Array(groups.length);
  for (const vector of maximal) {
    for (let position = 0; position < part.length; position++)
      part[position] = vectors.count(vector, position) / (units[position] ?? 1);
    program.add(patterns.price(vector) + nodeTie, part);
  }
  program.solve(maxPivots);
  return program.duals.map((dual, position) => Math.max(0, dual) / (units[position] ?? 1));
}

/** The lowest price of all units of a group on nodes, or fractions of nodes, without other groups. */
function priceAlone({ units, stride }: CountVectors, patterns: SmallPatterns, position: number): number {
  const all = units[position] ?? 0;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= all; count++)
    least = Math.min(least, ((patterns.price(count * (stride[position] ?? 0)) + nodeTie) * all) / count);
  return least;
}

function columnOf(
  vectors: CountVectors,
  patterns: SmallPatterns,
  { vector, worth }: { readonly vector: number; readonly worth: Float64Array },
): Column {
  const counts = vectors.groups.map((_, position) => vectors.count(vector, position));
  const value = counts.reduce((sum, count, position) => sum + count * (worth[position] ?? 0), 0);
  return { counts, surplus: Math.max(0, patterns.price(vector) + nodeTie - value) };
}

interface SearchBudget {
  /** Columns that have been tried. */
  tried: number;
}

interface PathInputs {
  readonly vectors: CountVectors;
  readonly columns: readonly Column[];
  readonly worth: Float64Array;
  /** Shared by all searches for one cover. */
  readonly budget: SearchBudget;
}

interface PathStep {
  readonly state: number;
  readonly spent: number;
  /** Units by position of their group. */
  readonly left: readonly number[];
  readonly gap: number;
}

/** Dijkstra's algorithm over the units that are left. */
class ShortestPath {
  readonly #vectors: CountVectors;
  readonly #worth: Float64Array;
  /** By position of the group, the columns with units of it, those of the least surplus first. */
  readonly #columns: readonly (readonly Column[])[];
  /** The positions of groups; the one with the fewest columns is covered first. */
  readonly #order: readonly number[];
  readonly #spent: Float64Array;
  readonly #before: Int32Array;
  readonly #heap = new StateHeap();
  readonly #budget: SearchBudget;

  constructor({ vectors, columns, worth, budget }: PathInputs) {
    this.#vectors = vectors;
    this.#worth = worth;
    this.#budget = budget;
    const sorted = [...columns].sort((a, b) => a.surplus - b.surplus);
    this.#columns = vectors.groups.map((_, position) =>
      sorted.filter(({ counts }) => (counts[position] ?? 0) > 0),
    );
    const length = (position: number) => this.#columns[position]?.length ?? 0;
    this.#order = [...vectors.groups.keys()].sort((a, b) => length(a) - length(b) || a - b);
    this.#spent = new Float64Array(vectors.length).fill(Number.POSITIVE_INFINITY);
    this.#before = new Int32Array(vectors.length);
  }

  /** @param gap how much above the bound a cover may cost */
  *search(gap: number): Generator<void, Cover> {
    this.#spent[this.#vectors.all] = 0;
    this.#heap.push(this.#vectors.all, 0);
    for (;;) {
      const { state, cost } = this.#heap.pop();
      if (state < 0) return 'none';
      if (this.#budget.tried > maxTried) return 'unknown';
      if (state === 0) return this.#path();
      if (cost > (this.#spent[state] ?? 0)) continue;
      this.#budget.tried += this.#expand(state, cost, gap);
      yield;
    }
  }

  /** Tries every column for the next group with units left; returns how many that were. */
  #expand(state: number, spent: number, gap: number): number {
    const left = this.#vectors.groups.map((_, position) => this.#vectors.count(state, position));
    const next = this.#order.find((position) => (left[position] ?? 0) > 0) ?? 0;
    let tried = 0;
    for (const column of this.#columns[next] ?? []) {
      if (spent + column.surplus >= gap) break;
      tried++;
      this.#try(column, { state, spent, left, gap });
    }
    return tried;
  }

  #try({ counts, surplus }: Column, { state, spent, left, gap }: PathStep): void {
    const { stride } = this.#vectors;
    let cost = spent + surplus;
    let to = state;
    for (let position = 0; position < counts.length; position++) {
      const covered = Math.min(counts[position] ?? 0, left[position] ?? 0);
      cost += ((counts[position] ?? 0) - covered) * (this.#worth[position] ?? 0);
      to -= covered * (stride[position] ?? 0);
    }
    if (cost >= gap || cost >= (this.#spent[to] ?? 0)) return;
    this.#spent[to] = cost;
    this.#before[to] = state;
    this.#heap.push(to, cost);
  }

  /** The vectors of the path, without units that are covered twice. */
  #path(): readonly number[] {
    const parts: number[] = [];
    for (let state = 0; state !== this.#vectors.all; state = this.#before[state] ?? this.#vectors.all)
      parts.push((this.#before[state] ?? 0) - state);
    return parts;
  }
}
