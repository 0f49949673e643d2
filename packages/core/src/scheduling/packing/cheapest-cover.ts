import type { CountVectors } from './count-vectors.ts';
import { CoverProgram } from './cover-program.ts';
import type { SmallPatterns } from './small-patterns.ts';
import { StateHeap } from './state-heap.ts';

/** Enough for the linear programme of a few groups. */
const exchanges = 400;
/** Of equal prices the cover with fewer nodes wins: each node counts as this much more. */
export const nodeTie = 1e-8;

/** A node that a cover may use: a vector of counts, and how much more it costs than its units are worth. */
interface Column {
  readonly counts: readonly number[];
  readonly surplus: number;
}

/**
 * Vectors that together are all units, one for each node; `none` if no cover costs less than the known one,
 * `unknown` if the search took too long.
 */
export type Cover = readonly number[] | 'none' | 'unknown';

/** A search ends after so many columns are tried. */
const mostTried = 1_000_000;

/**
 * The cheapest way to divide all units over nodes.
 *
 * A linear programme values a unit of each group (its duals), so that no node costs less than its units are
 * worth, and their sum bounds the price of any cover from below. What a cover costs above that bound is the
 * surplus of its nodes plus the worth of units it covers twice, all of it at least zero: the shortest path
 * from all units to none, and the only nodes on it are those with little surplus.
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
  const bound = vectors.units.reduce((sum, units, place) => sum + units * (worth[place] ?? 0), 0);
  const gap = below - bound;
  if (!(gap > nodeTie)) return 'none';
  const all = maximal.map((vector) => columnOf(vectors, patterns, { vector, worth }));
  for (const part of partsOfGap) {
    const most = part * gap;
    const columns = all.filter(({ surplus }) => surplus < most);
    const cover = yield* new ShortestPath({ vectors, columns, worth }).search(most);
    if (cover !== 'none') return cover;
  }
  return 'none';
}

/**
 * The cheapest cover is mostly much closer to the bound than the known one, and the search takes far longer
 * the more a cover may cost: columns that cannot be part of a cheap one are not even tried.
 */
const partsOfGap = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** The duals of covering all units by fractions of nodes; undefined if some unit fits on no node. */
function worthOfUnits(
  vectors: CountVectors,
  patterns: SmallPatterns,
  maximal: readonly number[],
): Float64Array | undefined {
  const { groups, units } = vectors;
  const alone = Float64Array.from(groups, (_, place) => priceAlone(vectors, patterns, place));
  if (!alone.every(Number.isFinite)) return undefined;
  const program = new CoverProgram(alone);
  const part = new Float64Array(groups.length);
  for (const vector of maximal) {
    for (let place = 0; place < part.length; place++)
      part[place] = vectors.count(vector, place) / (units[place] ?? 1);
    program.add(patterns.price(vector) + nodeTie, part);
  }
  program.solve(exchanges);
  return program.duals.map((dual, place) => Math.max(0, dual) / (units[place] ?? 1));
}

/** The lowest price of all units of a group on nodes, or fractions of nodes, without other groups. */
function priceAlone({ units, stride }: CountVectors, patterns: SmallPatterns, place: number): number {
  const all = units[place] ?? 0;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= all; count++)
    least = Math.min(least, ((patterns.price(count * (stride[place] ?? 0)) + nodeTie) * all) / count);
  return least;
}

function columnOf(
  vectors: CountVectors,
  patterns: SmallPatterns,
  { vector, worth }: { readonly vector: number; readonly worth: Float64Array },
): Column {
  const counts = vectors.groups.map((_, place) => vectors.count(vector, place));
  const value = counts.reduce((sum, count, place) => sum + count * (worth[place] ?? 0), 0);
  return { counts, surplus: Math.max(0, patterns.price(vector) + nodeTie - value) };
}

interface PathInputs {
  readonly vectors: CountVectors;
  readonly columns: readonly Column[];
  readonly worth: Float64Array;
}

interface PathStep {
  readonly state: number;
  readonly spent: number;
  /** Units by place of their group. */
  readonly left: readonly number[];
  readonly gap: number;
}

/** Dijkstra's algorithm over the units that are left. */
class ShortestPath {
  readonly #vectors: CountVectors;
  readonly #worth: Float64Array;
  /** By place of the group, the columns with units of it, those of the least surplus first. */
  readonly #columns: readonly (readonly Column[])[];
  /** The places of groups; the one with the fewest columns is covered first. */
  readonly #order: readonly number[];
  readonly #spent: Float64Array;
  readonly #before: Int32Array;
  readonly #heap = new StateHeap();

  constructor({ vectors, columns, worth }: PathInputs) {
    this.#vectors = vectors;
    this.#worth = worth;
    const sorted = [...columns].sort((a, b) => a.surplus - b.surplus);
    this.#columns = vectors.groups.map((_, place) => sorted.filter(({ counts }) => (counts[place] ?? 0) > 0));
    const length = (place: number) => this.#columns[place]?.length ?? 0;
    this.#order = [...vectors.groups.keys()].sort((a, b) => length(a) - length(b) || a - b);
    this.#spent = new Float64Array(vectors.length).fill(Number.POSITIVE_INFINITY);
    this.#before = new Int32Array(vectors.length);
  }

  /** @param gap how much above the bound a cover may cost */
  *search(gap: number): Generator<void, Cover> {
    let tried = 0;
    this.#spent[this.#vectors.all] = 0;
    this.#heap.push(this.#vectors.all, 0);
    for (;;) {
      const { state, cost } = this.#heap.pop();
      if (state < 0) return 'none';
      if (tried > mostTried) return 'unknown';
      if (state === 0) return this.#path();
      if (cost > (this.#spent[state] ?? 0)) continue;
      tried += this.#expand(state, cost, gap);
      yield;
    }
  }

  /** Covers the next group of what is left in every way; returns in how many. */
  #expand(state: number, spent: number, gap: number): number {
    const left = this.#vectors.groups.map((_, place) => this.#vectors.count(state, place));
    const next = this.#order.find((place) => (left[place] ?? 0) > 0) ?? 0;
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
    for (let place = 0; place < counts.length; place++) {
      const covered = Math.min(counts[place] ?? 0, left[place] ?? 0);
      cost += ((counts[place] ?? 0) - covered) * (this.#worth[place] ?? 0);
      to -= covered * (stride[place] ?? 0);
    }
    if (cost >= gap || cost >= (this.#spent[to] ?? 0)) return;
    this.#spent[to] = cost;
    this.#before[to] = state;
    this.#heap.push(to, cost);
  }

  /** The vectors without the units that are covered twice. */
  #path(): readonly number[] {
    const parts: number[] = [];
    for (let state = 0; state !== this.#vectors.all; state = this.#before[state] ?? this.#vectors.all)
      parts.push((this.#before[state] ?? 0) - state);
    return parts;
  }
}
