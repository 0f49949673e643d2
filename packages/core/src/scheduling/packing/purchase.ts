import type { ChosenPattern } from './chosen-patterns.ts';
import type { Market } from './market.ts';
import type { Pattern } from './patterns/pattern-search.ts';

/** The nodes chosen so far, and the units of each group that still need one. */
export class Purchase {
  readonly left: Float64Array;
  readonly chosen: ChosenPattern[] = [];
  readonly #market: Market;

  constructor(market: Market) {
    this.#market = market;
    const { alone, groups } = market;
    // Units that fit on no offer are not tried.
    this.left = groups.units.map((units, group) => (Number.isFinite(alone[group]) ? units : 0));
  }

  /** Whether any unit still needs a node. */
  get hasUnitsLeft(): boolean {
    return this.left.some((units) => units > 0);
  }

  /** The group that is left, if there is only one. */
  get onlyGroup(): number | undefined {
    const first = this.left.findIndex((units) => units > 0);
    return first >= 0 && this.left.findLastIndex((units) => units > 0) === first ? first : undefined;
  }

  /** For how many nodes of a pattern there are units left. */
  #supply({ group, units }: Pattern): number {
    let times = Number.POSITIVE_INFINITY;
    for (let i = 0; i < group.length; i++)
      times = Math.min(times, Math.floor((this.left[group[i] ?? 0] ?? 0) / (units[i] ?? 1)));
    return times;
  }

  /**
   * Adds patterns as long as units are left for them. Together they may have more units than are left, because a
   * fractional solution covers some units more than once.
   */
  buyAvailable(patterns: readonly ChosenPattern[]): void {
    for (const { pattern, times } of patterns) if (this.#supply(pattern) >= 1) this.buy(pattern, times);
  }

  /**
   * Adds up to `wanted` nodes of a pattern, or one if that is less, within the units, reservations and limits that are
   * left; returns how many.
   */
  buy(pattern: Pattern, wanted: number): number {
    const { frontier, ledger } = this.#market;
    const offer = frontier.offer[pattern.offer] ?? 0;
    const times = Math.min(ledger.affordable(offer, Math.max(1, wanted)), this.#supply(pattern));
    for (let i = 0; i < pattern.group.length; i++) {
      const group = pattern.group[i] ?? 0;
      this.left[group] = (this.left[group] ?? 0) - times * (pattern.units[i] ?? 0);
    }
    ledger.buy(offer, times);
    this.chosen.push({ pattern, times });
    return times;
  }
}
