import { capacityTypes, consolidationTuning } from '../../api/index.ts';
import { type Candidate, totalPrice } from '../candidates/candidate.ts';
import { failuresText, type RemovalOutcome } from '../cluster-simulation.ts';
import {
  type ConsolidationVerdict,
  type DecisionContext,
  decideConsolidation,
  keep,
  narrowed,
  notCheaper,
  pinnedToSpot,
  spotToSpotDisabled,
  spotToSpotTooFewTypes,
} from './consolidation-decision.ts';
import type { Replacement } from './price-book.ts';

/** As `decideConsolidation`, but several new nodes may replace the candidates. */
export function decideRegrouping(
  candidates: readonly Candidate[],
  outcome: Pick<RemovalOutcome, 'plan' | 'failures'>,
  context: DecisionContext,
): ConsolidationVerdict {
  const { plan, failures } = outcome;
  if (failures.length > 0) return keep(failuresText(failures));
  if (plan.newNodes.length < 2) return decideConsolidation(candidates, outcome, context);
  const { prices } = context;
  const replacements = plan.newNodes.map((planned) => prices.replacement(planned));
  const isSpot = candidates.every(({ state }) => state.offering.capacityType === capacityTypes.spot);
  const isSpotToSpot = replacements.map((each) => isSpot && prices.allows(each, capacityTypes.spot));
  if (isSpotToSpot.includes(true) && !context.allowsSpotToSpot) return keep(spotToSpotDisabled);
  const limited = belowPriceTogether(candidates, replacements, context);
  if (limited.kind !== 'replace') return limited;
  const { spotToSpotMinInstanceTypes } = consolidationTuning;
  const short = limited.replacements.find(
    ({ types }, index) => isSpotToSpot[index] === true && types.length < spotToSpotMinInstanceTypes,
  );
  return short === undefined ? limited : keep(spotToSpotTooFewTypes(short.types.length));
}

/**
 * Leaves each replacement the types with which all of them together cost less than the candidates even at their worst
 * prices. Each may cost the same multiple of its cheapest type, the one at which the sum reaches the price of the
 * candidates (ADR 0058).
 */
function belowPriceTogether(
  candidates: readonly Candidate[],
  replacements: readonly Replacement[],
  { prices }: DecisionContext,
): ConsolidationVerdict {
  const currentPrice = totalPrice(candidates);
  // Worst prices take long to compute. A type that is cheaper than the planned one only without what its node costs
  // besides is no reason to replace.
  if (replacements.reduce((sum, { planned }) => sum + planned.price, 0) >= currentPrice)
    return keep(notCheaper);
  const worst = replacements.map(({ types, requirements }) =>
    types.map((type) => prices.worstPrice(type, requirements)),
  );
  const least = worst.map((ofTypes) => Math.min(...ofTypes));
  const factor = currentPrice / least.reduce((sum, price) => sum + price, 0);
  if (!(factor > 1)) return keep(notCheaper);
  const limited: Replacement[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const maxPrice = (least[index] ?? 0) * factor;
    const types = replacement.types.filter((_, type) => (worst[index]?.[type] ?? 0) < maxPrice);
    const verdict = narrowed(replacement, types, prices);
    if (verdict.kind !== 'replace') return verdict;
    limited.push(...verdict.replacements.map((each) => pinnedToSpot(each, prices)));
  }
  return { kind: 'replace', replacements: limited };
}

/**
 * Candidates that the plan would replace by a node of the same type at no lower price. Each replacement accounts for
 * one of them, from the end of the list, where nodes cost least for what their pods are worth.
 */
export function nodesToKeep(
  candidates: readonly Candidate[],
  replacements: readonly Replacement[],
  { prices }: DecisionContext,
): ReadonlySet<Candidate> {
  const kept = new Set<Candidate>();
  for (const replacement of replacements) {
    const price = prices.launchPrice(replacement);
    const same = candidates.findLast(
      (candidate) =>
        !kept.has(candidate) &&
        candidate.instanceType?.name === replacement.types[0]?.name &&
        candidate.price <= price,
    );
    if (same !== undefined) kept.add(same);
  }
  return kept;
}
