import { packSteps } from './packing/pack.ts';
import type { Offer, Packing, PackingProblem } from './packing/packing-problem.ts';
import type { PlanSignal } from './plan-result.ts';

/**
 * Where limits are too small to be choosy, what counts is how much of them a machine takes, not what it costs. What
 * takes the least of them is found best as if there were none; if that is still too much, they are filled step by step.
 */
export function* packWithin(
  problem: PackingProblem,
  isSparing: boolean,
): Generator<void, Packing, PlanSignal> {
  const cheapest = yield* packSteps(problem);
  const { budget, ...unlimited } = problem;
  if (!isSparing || budget === undefined || cheapest.isStopped || unplacedUnits(cheapest) === 0)
    return cheapest;
  const offers = problem.offers.map((offer) => ({ ...offer, price: shareOf(offer, budget) }));
  const least = yield* packSteps({ ...unlimited, offers });
  if (!least.isStopped && isWithin(budget, problem.offers, least)) return least;
  const frugal = yield* packSteps({ ...problem, offers });
  return unplacedUnits(frugal) < unplacedUnits(cheapest) ? frugal : cheapest;
}

export function unplacedUnits({ unplaced }: Packing): number {
  return unplaced.reduce((sum, units) => sum + units, 0);
}

function shareOf({ footprint }: Offer, budget: Float64Array): number {
  return Math.max(...budget.map((amount, axis) => (amount > 0 ? (footprint?.[axis] ?? 0) / amount : 0)));
}

function isWithin(budget: Float64Array, offers: readonly Offer[], { machines }: Packing): boolean {
  return budget.every((amount, axis) => {
    const takenBy = (offer: number) => offers[offer]?.footprint?.[axis] ?? 0;
    return machines.reduce((sum, { offer, times }) => sum + times * takenBy(offer), 0) <= amount;
  });
}
