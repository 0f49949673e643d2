import type { PackingProblem } from './packing-problem.ts';

function isLimited({ budget, stocks }: PackingProblem): boolean {
  return budget !== undefined || stocks.length > 0;
}

/** What is left of stocks (capacity reservations) and budget (NodePool limits). */
export class Ledger {
  readonly #problem: PackingProblem;
  readonly #stocks: Float64Array;
  readonly #budget: Float64Array | undefined;

  constructor(problem: PackingProblem) {
    this.#problem = problem;
    this.#stocks = Float64Array.from(problem.stocks);
    this.#budget = problem.budget?.slice();
    this.limited = isLimited(problem);
  }

  /** Whether there is a budget or a stock; otherwise every offer is unlimited. */
  readonly limited: boolean;

  /** How many nodes of the offer stock and budget still allow, at most `wanted`. */
  affordable(index: number, wanted: number): number {
    const offer = this.#problem.offers[index];
    if (!offer) return 0;
    let most = wanted;
    if (offer.stock !== undefined) most = Math.min(most, Math.max(0, this.#stocks[offer.stock] ?? 0));
    if (this.#budget && offer.footprint) most = withinBudget(this.#budget, offer.footprint, most);
    return most;
  }

  /** Charges nodes to stock and budget, or releases them if the number is negative. */
  buy(index: number, times: number): void {
    const offer = this.#problem.offers[index];
    if (offer?.stock !== undefined) this.#stocks[offer.stock] = (this.#stocks[offer.stock] ?? 0) - times;
    const footprint = offer?.footprint;
    if (!this.#budget || !footprint) return;
    for (let r = 0; r < this.#budget.length; r++)
      this.#budget[r] = (this.#budget[r] ?? 0) - times * (footprint[r] ?? 0);
  }
}

function withinBudget(budget: Float64Array, footprint: Float64Array, wanted: number): number {
  let most = wanted;
  for (let r = 0; r < budget.length; r++) {
    const each = footprint[r] ?? 0;
    if (each <= 0) continue;
    const left = budget[r] ?? 0;
    most = Math.min(most, Math.max(0, Math.floor(left / each)));
    if (most > 0 && most * each > left) most--;
  }
  return most;
}
