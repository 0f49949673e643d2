import { endsStep } from '../../../yielding/index.ts';
import { comparePrices } from '../cost.ts';
import type { Market } from '../market.ts';
import type { Fill, FillRequest } from './fill.ts';
import { type Shelves, Shelving } from './shelves.ts';

/** One possible node: an offer and the units on it (a pattern of the cutting stock problem). */
export interface Pattern {
  /** Index into the frontier. */
  readonly offer: number;
  readonly group: Int32Array;
  readonly units: Float64Array;
  readonly value: number;
  /** Price per worth: below 1 the pattern costs less than its units are worth. */
  readonly ratio: number;
}

/**
 * After worth changed, ratios seen before are assumed to be better by this factor until the offer is filled
 * again.
 */
const staleFactor = 0.97;

/** How a node is filled. */
type FillSettings = Pick<FillRequest, 'rule' | 'portions'>;

/** Filling by one rule only made plans up to 2 % more expensive on `services`, 10 % on `diverse` (ADR 0019). */
const allSettings: readonly FillSettings[] = [
  { rule: 'sum', portions: 2 },
  { rule: 'largest', portions: 2 },
];
const coarseSettings: FillSettings = { rule: 'sum', portions: 1.5 };

/** Finds the pattern with the most worth for its price. */
export class PatternSearch {
  readonly #market: Market;
  readonly #worth: Float64Array;
  /** By offer, the ratio of its last fill. */
  readonly ratio: Float64Array;
  readonly #fresh: Uint8Array;
  readonly #best: { offer: number; ratio: number; value: number; length: number };
  readonly #group: Int32Array;
  readonly #units: Float64Array;
  readonly #shelving: Shelving;
  #shelves: Shelves | undefined;
  /** The offers that are searched. */
  #searched: Uint32Array;

  constructor(market: Market, worth: Float64Array, apart: Int32Array) {
    this.#market = market;
    this.#shelving = new Shelving(market.groups, market.scale, apart);
    this.#worth = worth;
    this.#searched = market.frontier.candidates;
    this.ratio = new Float64Array(market.frontier.length);
    this.#fresh = new Uint8Array(market.frontier.length);
    this.#best = { offer: -1, ratio: 0, value: 0, length: 0 };
    this.#group = new Int32Array(market.groups.length);
    this.#units = new Float64Array(market.groups.length);
  }

  /** Has to be called after the worth of groups changed much; also drops groups without units left. */
  restack(left: Float64Array): void {
    this.#shelves = this.#shelving.stack(left, this.#worth);
  }

  /** Has to be called after worth changed: ratios of offers may then be a little better than their last fills. */
  markStale(): void {
    for (const offer of this.#searched) this.ratio[offer] = staleFactor * (this.ratio[offer] ?? 0);
  }

  /** Resets all ratios, so that offers are filled again; with `all` also those that are no candidates. */
  reconsider(all: boolean): void {
    const { frontier } = this.#market;
    if (all) this.#searched = Uint32Array.from({ length: frontier.length }, (_, offer) => offer);
    for (const offer of this.#searched) this.ratio[offer] = 0;
  }

  /** Fills every candidate once, coarsely, which is enough to tell good offers from bad ones. */
  *sweep(left: Float64Array): Generator<void> {
    this.ratio.fill(Number.POSITIVE_INFINITY);
    const { candidates } = this.#market.frontier;
    for (let i = 0; i < candidates.length; i++) {
      const offer = candidates[i] ?? 0;
      this.#fillBy(coarseSettings, { offer, left }, (_, ratio) => {
        this.ratio[offer] = ratio;
      });
      if (endsStep(i)) yield;
    }
  }

  /**
   * The best pattern for the units that are left. As fewer units are left no ratio gets better, so an offer
   * is filled again only if its last ratio would still win. With `wanted`, the number of nodes of each offer
   * in the fractional solution, only offers with at least half a node count.
   */
  best(left: Float64Array, wanted?: Float64Array): Pattern | undefined {
    this.#fresh.fill(0);
    this.#best.offer = -1;
    for (;;) {
      const offer = this.#mostPromising(wanted);
      if (offer < 0) return undefined;
      if (this.#fresh[offer] === 1) return this.#pattern();
      this.#evaluate(offer, left);
    }
  }

  /** Fills one offer by each of the rules and reports each fill. */
  each(offer: number, left: Float64Array, report: (fill: Fill, ratio: number) => void): void {
    for (const settings of allSettings) this.#fillBy(settings, { offer, left }, report);
  }

  #fillBy(
    settings: FillSettings,
    { offer, left }: { readonly offer: number; readonly left: Float64Array },
    report: (fill: Fill, ratio: number) => void,
  ): void {
    const { frontier, groups, filler } = this.#market;
    if (!this.#shelves) return;
    const fill = filler.run(
      {
        room: frontier.room,
        at: offer * groups.resources,
        allows: frontier.allows,
        allowsAt: offer * groups.masks.length,
        left,
        worth: this.#worth,
        rule: settings.rule,
        portions: settings.portions,
      },
      this.#shelves,
    );
    if (fill.length > 0) report(fill, (frontier.price[offer] ?? 0) / fill.value);
  }

  /**
   * The offer with the lowest ratio. Of ratios that are equal within rounding, the offer of the best fill so far wins,
   * so that `best` ends without filling the others.
   */
  #mostPromising(wanted: Float64Array | undefined): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    const searched = this.#searched;
    for (let i = 0; i < searched.length; i++) {
      const offer = searched[i] ?? 0;
      if (wanted && (wanted[offer] ?? 0) < 0.5) continue;
      const ratio = this.ratio[offer] ?? 0;
      const isSeenBest = offer === this.#best.offer && Number.isFinite(ratio);
      if (ratio < least || (isSeenBest && comparePrices(ratio, least) <= 0)) {
        least = ratio;
        best = offer;
      }
    }
    return best;
  }

  #evaluate(offer: number, left: Float64Array): void {
    this.#fresh[offer] = 1;
    this.ratio[offer] = Number.POSITIVE_INFINITY;
    const { frontier, ledger } = this.#market;
    if (ledger.limited && ledger.affordable(frontier.offer[offer] ?? 0, 1) < 1) return;
    this.each(offer, left, (fill, ratio) => {
      if (ratio < (this.ratio[offer] ?? 0)) this.ratio[offer] = ratio;
      this.#remember(offer, fill, ratio);
    });
  }

  #remember(offer: number, fill: Fill, ratio: number): void {
    const best = this.#best;
    const isBetter = (comparePrices(ratio, best.ratio) || best.value - fill.value) < 0;
    if (best.offer >= 0 && !isBetter) return;
    best.offer = offer;
    best.ratio = ratio;
    best.value = fill.value;
    best.length = fill.length;
    for (let i = 0; i < fill.length; i++) {
      this.#group[i] = fill.group[i] ?? 0;
      this.#units[i] = fill.units[i] ?? 0;
    }
  }

  #pattern(): Pattern {
    const { offer, value, ratio, length } = this.#best;
    return { offer, value, ratio, group: this.#group.slice(0, length), units: this.#units.slice(0, length) };
  }
}
