import type { PackingProblem } from './packing-problem.ts';

function isLimited({ limitsLeft, reserved }: PackingProblem): boolean {
  return limitsLeft !== undefined || reserved.length > 0;
}

/** What is left of capacity reservations and NodePool limits. */
export class Ledger {
  readonly #problem: PackingProblem;
  readonly #reserved: Float64Array;
  readonly #limitsLeft: Float64Array | undefined;

  constructor(problem: PackingProblem) {
    this.#problem = problem;
    this.#reserved = Float64Array.from(problem.reserved);
    this.#limitsLeft = problem.limitsLeft?.slice();
    this.limited = isLimited(problem);
  }

  /** Whether there are limits or reservations; otherwise every offer is unlimited. */
  readonly limited: boolean;

  /** How many more nodes of the offer its reservation and the limits allow, at most `wanted`. */
  affordable(index: number, wanted: number): number {
    const offer = this.#problem.offers[index];
    if (!offer) return 0;
    let most = wanted;
    if (offer.reservation !== undefined)
      most = Math.min(most, Math.max(0, this.#reserved[offer.reservation] ?? 0));
    if (this.#limitsLeft && offer.limitUsage) most = withinLimits(this.#limitsLeft, offer.limitUsage, most);
    return most;
  }

  /** Charges nodes to reservation and limits, or releases them if the number is negative. */
  buy(index: number, times: number): void {
    const offer = this.#problem.offers[index];
    if (offer?.reservation !== undefined)
      this.#reserved[offer.reservation] = (this.#reserved[offer.reservation] ?? 0) - times;
    const limitUsage = offer?.limitUsage;
    if (!this.#limitsLeft || !limitUsage) return;
    for (let r = 0; r < this.#limitsLeft.length; r++)
      this.#limitsLeft[r] = (this.#limitsLeft[r] ?? 0) - times * (limitUsage[r] ?? 0);
  }
}

function withinLimits(limitsLeft: Float64Array, limitUsage: Float64Array, wanted: number): number {
  let most = wanted;
  for (let r = 0; r < limitsLeft.length; r++) {
    const each = limitUsage[r] ?? 0;
    if (each <= 0) continue;
    const left = limitsLeft[r] ?? 0;
    most = Math.min(most, Math.max(0, Math.floor(left / each)));
    // The quotient may have been rounded up.
    if (most > 0 && most * each > left) most--;
  }
  return most;
}
