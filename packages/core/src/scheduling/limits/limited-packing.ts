import type { Steps } from '../../yielding/index.ts';
import { packSteps } from '../packing/pack.ts';
import type { Offer, Packing, PackingProblem } from '../packing/packing-problem.ts';

/**
 * Packs within the limits of a NodePool. Limits that do not bind must not change the packing (ADR 0012), so the first
 * packing ignores them, unless the items cannot fit within them at all.
 *
 * @param sparesLimits whether to accept a higher price for a packing that uses less of the limits and places more units
 */
export function* packWithin(problem: PackingProblem, sparesLimits: boolean): Steps<Packing> {
  const { limitsLeft, alternatives: _, ...unlimited } = problem;
  if (limitsLeft === undefined) return yield* packSteps(problem);
  const limits = { limitsLeft, offers: problem.offers };
  const mayHoldAll = mayFit(problem, limitsLeft);
  if (mayHoldAll) {
    const first = yield* packSteps(unlimited);
    if (first.isStopped || isWithin(limits, first)) return first;
  }
  const cheapest = yield* packSteps(problem);
  if (!sparesLimits || cheapest.isStopped || unplacedUnits(cheapest) === 0) return cheapest;
  const sparing = mayHoldAll ? yield* packSparingly(unlimited, limits) : undefined;
  if (sparing !== undefined) return sparing;
  const smallest = yield* packSteps({ ...problem, offers: offersAt(limits, limitsAboveAll) });
  return unplacedUnits(smallest) < unplacedUnits(cheapest) ? smallest : cheapest;
}

interface Limits {
  readonly limitsLeft: Float64Array;
  readonly offers: readonly Offer[];
}

/**
 * Prices of the limits, as multiples of the lowest price of nodes that use them up. They are added to the prices of
 * nodes: the higher they are, the less of the limits a packing uses and the more it costs.
 */
const limitPrices = [0.5, 2, 8, 32];
/**
 * So high that the price of a node only decides between nodes that use about the same share of the limits. Packing by
 * the share alone cost up to twice as much (ADR 0012).
 */
const limitsAboveAll = 1000;

/** The cheapest packing found that places all units within the limits, if there is one. */
function* packSparingly(unlimited: PackingProblem, limits: Limits): Steps<Packing | undefined> {
  const least = yield* packSteps({ ...unlimited, offers: offersAt(limits, limitsAboveAll) });
  if (least.isStopped || !isWithin(limits, least)) return undefined;
  for (const limitPrice of limitPrices) {
    const packing = yield* packSteps({ ...unlimited, offers: offersAt(limits, limitPrice) });
    if (packing.isStopped) break;
    if (isWithin(limits, packing)) return packing;
  }
  return least;
}

/** The offers, each at its price plus the price of the share of the limits that it uses. */
function offersAt({ limitsLeft, offers }: Limits, limitPrice: number): readonly Offer[] {
  const shares = offers.map((offer) => shareOf(offer, limitsLeft));
  const all = limitPrice * priceOfShare(offers, shares);
  return offers.map((offer, index) => ({ ...offer, price: offer.price + all * (shares[index] ?? 0) }));
}

/** The lowest price of nodes that use up the limits. */
function priceOfShare(offers: readonly Offer[], shares: readonly number[]): number {
  return offers.reduce((least, { price }, index) => {
    const share = shares[index] ?? 0;
    return share > 0 ? Math.min(least, price / share) : least;
  }, Number.POSITIVE_INFINITY);
}

export function unplacedUnits({ unplaced }: Packing): number {
  return unplaced.reduce((sum, units) => sum + units, 0);
}

function shareOf({ limitUsage }: Offer, limitsLeft: Float64Array): number {
  return Math.max(...limitsLeft.map((amount, axis) => (amount > 0 ? (limitUsage?.[axis] ?? 0) / amount : 0)));
}

function isWithin({ limitsLeft, offers }: Limits, { nodes }: Packing): boolean {
  return limitsLeft.every((amount, axis) => {
    const takenBy = (offer: number) => offers[offer]?.limitUsage?.[axis] ?? 0;
    return nodes.reduce((sum, { offer, times }) => sum + times * takenBy(offer), 0) <= amount;
  });
}

/** False only if the items exceed the limits even on nodes without unused room. */
function mayFit({ offers, items, resources }: PackingProblem, limitsLeft: Float64Array): boolean {
  const needed = new Float64Array(resources);
  for (const { count, size } of items)
    for (let r = 0; r < resources; r++) needed[r] = (needed[r] ?? 0) + count * (size[r] ?? 0);
  return limitsLeft.every((amount, axis) =>
    needed.every((sum, r) => sum * leastTaken(offers, axis, r) <= amount * roundingAllowance),
  );
}

/** The bound is computed from quotients; rounding must not reject what fits exactly. */
const roundingAllowance = 1 + 1e-9;

/** The least that any offer uses of a limit for one unit of a resource. */
function leastTaken(offers: readonly Offer[], axis: number, resource: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { room, limitUsage } of offers) {
    const amount = room[resource] ?? 0;
    if (amount > 0) least = Math.min(least, (limitUsage?.[axis] ?? 0) / amount);
  }
  return Number.isFinite(least) ? least : 0;
}
