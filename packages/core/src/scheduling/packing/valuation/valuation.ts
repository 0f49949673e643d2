import type { ChosenPattern } from '../chosen-patterns.ts';
import type { Market } from '../market.ts';
import type { Fill } from '../patterns/fill.ts';
import { type Pattern, PatternSearch } from '../patterns/pattern-search.ts';
import { CoverProgram } from './cover-program.ts';
import { type DemandRows, demandRows } from './demand-rows.ts';

/** The least worth of a group, as a share of its price alone, so that groups in surplus are still packed. */
const minShare = 1e-3;
/** Pivots of one solution at most, and between two yields. */
const maxPivots = 400;
const pivotsAtOnce = 50;
/** With more columns than both of these, columns of little use are dropped. */
const fewColumns = 240;
const columnsPerRow = 4;
const useless = 0.05;
/** A column is added if it saves at least this part of what the best column of the round before saved. */
const nearBest = 0.1;
/** How many offers a sweep adds to the active ones, whose fills become columns (ADR 0011). */
const activeOffers = 8;
/** A second sweep found nothing beyond the noise of rounding (ADR 0007). */
const maxSweeps = 1;
/** Rounds before a sweep. */
const firstRounds = 2;
/** With two active offers for each signature, plans cost 3 % more (ADR 0019). */
const minActivePerSignature = 3;
/** Columns that save less than this part of their price are not worth the time. */
const minSaving = 2e-3;
/**
 * Rounds end when no pattern costs less than this part of its worth: then the optimal solution costs no less than this
 * part of the present one either, as far as fills find the best patterns. The cost is no criterion, because it often
 * stays the same for many rounds (ADR 0007).
 */
const nearlyBest = 0.985;
/** An amount of nodes that is less than this below a whole number counts as that number. */
const rounding = 1e-6;
/** The whole nodes of a solution are bought as they are if they are at least this part of its nodes. */
const minWhole = 0.5;

/**
 * The marginal worth of one unit of each group: the duals of covering all demand with nodes at the lowest
 * price, by column generation. New columns are fills of offers under the worth found so far.
 */
export class Valuation {
  readonly worth: Float64Array;
  readonly rows: DemandRows;
  readonly search: PatternSearch;
  readonly #market: Market;
  readonly #program: CoverProgram;
  readonly #demand: Float64Array;
  readonly #column: Float64Array;
  #leastRatio = 1;
  readonly #active: number[] = [];
  /** The pattern of each column. */
  readonly #patterns: Pattern[] = [];
  /** How many nodes of each frontier offer the fractional solution has. */
  readonly nodes: Float64Array;

  constructor(market: Market) {
    this.#market = market;
    this.rows = demandRows(market.groups);
    this.worth = Float64Array.from(market.alone, (price) => (Number.isFinite(price) ? price : 0));
    this.search = new PatternSearch(market, this.worth, this.rows.apart);
    this.#program = new CoverProgram(this.#aloneByRow());
    this.#demand = new Float64Array(this.rows.length);
    this.nodes = new Float64Array(market.frontier.length);
    this.#column = new Float64Array(this.rows.length);
  }

  /**
   * Whether patterns of the fractional solution can be bought as they are: it has a row for each group, and there
   * are no reservations or limits, which it does not model.
   */
  get isExact(): boolean {
    return this.rows.isExact && !this.#market.ledger.limited;
  }

  /**
   * The patterns of the fractional solution, each as often as it has whole nodes of it; none if most of its
   * nodes are fractions, which say little about whole ones.
   */
  wholePatterns(): readonly ChosenPattern[] {
    const whole: ChosenPattern[] = [];
    let nodes = 0;
    let wholeNodes = 0;
    this.#program.each((column, amount) => {
      const pattern = this.#patterns[column];
      const times = Math.floor(amount + rounding);
      nodes += amount;
      wholeNodes += times;
      if (pattern !== undefined && times > 0) whole.push({ pattern, times });
    });
    return wholeNodes >= nodes * minWhole ? whole : [];
  }

  /** Values each unit by these prices of its resources. */
  valueByPrices(prices: Float64Array, left: Float64Array): void {
    const { resources, size } = this.#market.groups;
    for (let group = 0; group < this.worth.length; group++) {
      let worth = 0;
      for (let r = 0; r < resources; r++) worth += (prices[r] ?? 0) * (size[group * resources + r] ?? 0);
      // Never zero, because ratios divide by it.
      this.worth[group] = worth + 1e-12;
    }
    this.search.restack(left);
  }

  /** Values the units that are left; returns the cost of the fractional solution. */
  *refresh(left: Float64Array, rounds: number): Generator<void, number> {
    this.#measure(left);
    this.#dropUseless();
    this.#program.restart(this.#demand);
    if (this.#active.length === 0) yield* this.#begin(left);
    this.#revalue();
    return yield* this.#generate(left, rounds);
  }

  /** Starts with the price alone as worth, and with the offers that are good under it. */
  *#begin(left: Float64Array): Generator<void> {
    this.search.restack(left);
    yield* this.search.sweep(left);
    this.#activate(activeOffers, Number.POSITIVE_INFINITY);
    this.#addColumns(left, Number.MAX_VALUE);
    yield* this.#solve();
    for (let sweep = 0; sweep < maxSweeps; sweep++) {
      yield* this.#generate(left, firstRounds);
      yield* this.search.sweep(left);
      yield;
      if (this.#activate(activeOffers, nearlyBest) === 0) break;
    }
  }

  *#generate(left: Float64Array, rounds: number): Generator<void, number> {
    let cost = yield* this.#solve();
    for (let round = 0; round < rounds; round++) {
      yield;
      this.search.restack(left);
      if (!this.#addColumns(left, 1 - minSaving)) break;
      cost = yield* this.#solve();
      if (this.#leastRatio > nearlyBest) break;
      if (this.#program.columns > Math.max(fewColumns, columnsPerRow * this.rows.length)) this.#dropUseless();
    }
    this.search.restack(left);
    this.search.markStale();
    this.#countNodes();
    return cost;
  }

  *#solve(): Generator<void, number> {
    let cost = this.#program.solve(pivotsAtOnce);
    for (let done = pivotsAtOnce; done < maxPivots && !this.#program.isSolved; done += pivotsAtOnce) {
      yield;
      cost = this.#program.solve(pivotsAtOnce);
    }
    this.#revalue();
    return cost;
  }

  /** The linear programme does not model reservations: reserved offers count with all instances that are left. */
  #countNodes(): void {
    const { frontier, ledger } = this.#market;
    for (let offer = 0; offer < frontier.length; offer++) {
      const limited = frontier.unreserved[offer] !== 1;
      this.nodes[offer] = limited
        ? ledger.affordable(frontier.offer[offer] ?? 0, Number.MAX_SAFE_INTEGER)
        : 0;
    }
    this.#program.each((column, amount) => {
      const offer = this.#patterns[column]?.offer ?? 0;
      this.nodes[offer] = (this.nodes[offer] ?? 0) + amount;
    });
  }

  /** Adds the best offers below a ratio, some of each signature, to those whose fills become columns. */
  #activate(most: number, below: number): number {
    const { frontier } = this.#market;
    const bySignature = new Map<number, number[]>();
    const known = new Set(this.#active);
    for (let offer = 0; offer < frontier.length; offer++) {
      if (frontier.unreserved[offer] !== 1 || known.has(offer) || !((this.search.ratio[offer] ?? 0) < below))
        continue;
      const signature = frontier.signature[offer] ?? 0;
      const set = bySignature.get(signature) ?? [];
      bySignature.set(signature, set);
      set.push(offer);
    }
    const each = Math.max(minActivePerSignature, Math.ceil(most / Math.max(1, bySignature.size)));
    for (const set of bySignature.values()) {
      set.sort((a, b) => (this.search.ratio[a] ?? 0) - (this.search.ratio[b] ?? 0) || a - b);
      this.#active.push(...set.slice(0, each));
    }
    return bySignature.size;
  }

  /** Columns of little use only cost time; one that is needed later is generated again. */
  #dropUseless(): void {
    let kept = 0;
    this.#program.dropColumns(useless, (column) => {
      const pattern = this.#patterns[column];
      if (pattern !== undefined) this.#patterns[kept++] = pattern;
    });
    this.#patterns.length = kept;
  }

  #aloneByRow(): Float64Array {
    const { groups, alone } = this.#market;
    const price = new Float64Array(this.rows.length);
    for (let group = 0; group < groups.length; group++) {
      const all = (alone[group] ?? 0) * (groups.units[group] ?? 0);
      if (!Number.isFinite(all)) continue;
      for (let i = this.rows.of.start[group] ?? 0; i < (this.rows.of.start[group + 1] ?? 0); i++) {
        const row = this.rows.of.entries[i] ?? 0;
        price[row] = (price[row] ?? 0) + all;
      }
    }
    return price;
  }

  #measure(left: Float64Array): void {
    this.#demand.fill(0);
    const { of, part } = this.rows;
    for (let group = 0; group < left.length; group++)
      for (let i = of.start[group] ?? 0; i < (of.start[group + 1] ?? 0); i++) {
        const row = of.entries[i] ?? 0;
        this.#demand[row] = (this.#demand[row] ?? 0) + (part[i] ?? 0) * (left[group] ?? 0);
      }
  }

  #revalue(): void {
    const { of, part } = this.rows;
    const { alone } = this.#market;
    for (let group = 0; group < this.worth.length; group++) {
      let worth = 0;
      for (let i = of.start[group] ?? 0; i < (of.start[group + 1] ?? 0); i++)
        worth += (part[i] ?? 0) * (this.#program.duals[of.entries[i] ?? 0] ?? 0);
      const least = Number.isFinite(alone[group]) ? (alone[group] ?? 0) * minShare : 0;
      // Never zero, because ratios divide by worth.
      this.worth[group] = Math.max(worth, least) + 1e-12;
    }
  }

  /**
   * Adds columns that lower the cost; returns whether there were any. Leaves out columns that save far less than the
   * best of the round before, unless that leaves none, because the simplex method is slow with many columns (ADR 0007).
   */
  #addColumns(left: Float64Array, below: number): boolean {
    let bar = below > 1 ? below : Math.min(below, 1 - nearBest * (1 - this.#leastRatio));
    for (let attempt = 0; attempt < 2; attempt++) {
      let least = below;
      for (const offer of this.#active)
        this.search.each(offer, left, (fill, ratio) => {
          if (ratio < bar) this.#add(offer, fill);
          least = Math.min(least, ratio);
        });
      this.#leastRatio = Math.min(1, least);
      if (least < bar) return true;
      if (least >= below) return false;
      bar = 1 - nearBest * (1 - least);
    }
    return false;
  }

  #add(offer: number, fill: Fill): void {
    const { of, part } = this.rows;
    this.#column.fill(0);
    for (let f = 0; f < fill.length; f++) {
      const group = fill.group[f] ?? 0;
      for (let i = of.start[group] ?? 0; i < (of.start[group + 1] ?? 0); i++) {
        const row = of.entries[i] ?? 0;
        this.#column[row] = (this.#column[row] ?? 0) + (part[i] ?? 0) * (fill.units[f] ?? 0);
      }
    }
    const price = this.#market.frontier.price[offer] ?? 0;
    const group = fill.group.slice(0, fill.length);
    const units = fill.units.slice(0, fill.length);
    this.#patterns.push({ offer, group, units, value: fill.value, ratio: price / fill.value });
    this.#program.add(price, this.#column);
  }
}
