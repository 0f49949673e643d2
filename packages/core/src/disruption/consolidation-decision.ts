import { capacityTypes, consolidationTuning } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { minValuesText } from '../requirements/index.ts';
import type { Candidate } from './candidate.ts';
import { failuresText, type Outcome } from './cluster-simulation.ts';
import type { PriceBook, Replacement } from './price-book.ts';

/** Whether candidates can go, or why not in the words of the event `Unconsolidatable`. */
export type Verdict =
  | { readonly kind: 'delete' }
  | { readonly kind: 'replace'; readonly replacements: readonly Replacement[] }
  | { readonly kind: 'keep'; readonly message: string };

export interface DecisionContext {
  readonly prices: PriceBook;
  /** The gate SpotToSpotConsolidation. */
  readonly allowsSpotToSpot: boolean;
}

/** What may be done with candidates whose absence was simulated. */
export function decideConsolidation(
  candidates: readonly Candidate[],
  { plan, failures }: Pick<Outcome, 'plan' | 'failures'>,
  context: DecisionContext,
): Verdict {
  if (failures.length > 0) return keep(failuresText(failures));
<<<<<<< HEAD
  if (plan.newNodes.length === 0) return { kind: 'delete' };
  const offer = { candidates, given: priceOf(candidates) };
  const replacements = plan.newNodes.map((planned) => context.prices.replacement(planned));
  const [only, ...others] = replacements;
  if (only === undefined || others.length > 0) return several(offer, replacements, context);
  const verdict = single(offer, only, context);
=======
  const [planned, ...others] = plan.newNodes;
  if (planned === undefined) return { kind: 'delete' };
  if (others.length > 0) return keep(manyNewNodes(plan.newNodes.length));
  const replacement = context.prices.replacement(planned);
  const isSpotToSpot =
    candidates.every(({ state }) => state.offering.capacityType === capacityTypes.spot) &&
    context.prices.allows(replacement, capacityTypes.spot);
  const verdict = isSpotToSpot
    ? spotToSpot(candidates, replacement, context)
    : cheaper(candidates, replacement, context);
>>>>>>> disruption
  if (verdict.kind !== 'replace' || candidates.length === 1) return verdict;
  return inTurn(verdict.replacements, (replacement) => withoutSameTypes(candidates, replacement, context));
}

/** What goes, and what its replacement may cost at most. */
interface Offer {
  readonly candidates: readonly Candidate[];
  readonly given: number;
}

function priceOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { price }) => sum + price, 0);
}

function single(offer: Offer, replacement: Replacement, context: DecisionContext): Verdict {
  const isSpotToSpot =
    offer.candidates.every(({ state }) => state.offering.capacityType === capacityTypes.spot) &&
    context.prices.allows(replacement, capacityTypes.spot);
  return isSpotToSpot ? spotToSpot(offer, replacement, context) : cheaper(offer, replacement, context);
}

/**
 * Small nodes may cost less than the large one that is hardly used any more. What is given up is divided among them
 * by what they are expected to cost, and each has to stay below its share, whichever of its types is launched.
 */
function several(
  { candidates, given }: Offer,
  replacements: readonly Replacement[],
  context: DecisionContext,
): Verdict {
  const expected = replacements.reduce((sum, { planned }) => sum + planned.price, 0);
  // Candidates of which each could go by itself are not tied together.
  const isJoint = candidates.length > 1 && replacements.length >= candidates.length;
  if (expected >= given || isJoint)
    return keep(`Can't remove without creating ${replacements.length} candidates`);
  const shareOf = ({ planned }: Replacement) => given * (planned.price / expected);
  return inTurn(replacements, (replacement) =>
    single({ candidates, given: shareOf(replacement) }, replacement, context),
  );
}

/** All of them, each as it was judged; or why one of them does not do. */
function inTurn(replacements: readonly Replacement[], judge: (replacement: Replacement) => Verdict): Verdict {
  const accepted: Replacement[] = [];
  for (const replacement of replacements) {
    const verdict = judge(replacement);
    if (verdict.kind !== 'replace') return verdict;
    accepted.push(...verdict.replacements);
  }
  return { kind: 'replace', replacements: accepted };
}

function cheaper({ given }: Offer, replacement: Replacement, { prices }: DecisionContext): Verdict {
  const { spot, onDemand } = capacityTypes;
  return inTurn([replacement], (whole) => {
    const verdict = belowPrice(given, whole, prices);
    // A spot launch that fails must not become an on-demand one, which may cost more than what is given up.
    const isMixed = [spot, onDemand].every((type) => prices.allows(whole, type));
    return isMixed ? restrictedTo(spot, verdict, prices) : verdict;
  });
}

function restrictedTo(capacityType: string, verdict: Verdict, prices: PriceBook): Verdict {
  if (verdict.kind !== 'replace') return verdict;
  return inTurn(verdict.replacements, (replacement) => replace(prices.restricted(replacement, capacityType)));
}

function spotToSpot(
  { candidates, given }: Offer,
  replacement: Replacement,
  { prices, allowsSpotToSpot }: DecisionContext,
): Verdict {
  if (!allowsSpotToSpot)
    return keep("SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node");
  const filtered = belowPrice(given, prices.restricted(replacement, capacityTypes.spot), prices);
  if (filtered.kind !== 'replace' || candidates.length > 1) return filtered;
  return inTurn(filtered.replacements, (one) => amongTheCheapest(one, prices));
}

/** With the whole list of types the next round would find the same move again: a node among the cheapest stays. */
function amongTheCheapest(replacement: Replacement, prices: PriceBook): Verdict {
  const { types } = replacement;
  const least = consolidationTuning.spotToSpotMinInstanceTypes;
  if (types.length < least)
    return keep(
      `SpotToSpotConsolidation requires ${least} cheaper instance type options than the current candidate to consolidate, got ${types.length}`,
    );
  const { needed } = prices.minValues(replacement, types);
  return replace(prices.limitedTo(replacement, types.slice(0, Math.max(least, needed))));
}

/** Types that certainly cost less than what is given up. */
function belowPrice(given: number, replacement: Replacement, prices: PriceBook): Verdict {
  const types = replacement.types.filter((type) => prices.worstPrice(type, replacement.requirements) < given);
  return narrowed(replacement, types, prices);
}

/** A replacement of a type that goes must be cheaper than the cheapest that goes: else one could just have been kept. */
function withoutSameTypes(
  candidates: readonly Candidate[],
  replacement: Replacement,
  { prices }: DecisionContext,
): Verdict {
  const leaving = new Map<string, number>();
  for (const { instanceType, price } of candidates) {
    if (instanceType === undefined) continue;
    leaving.set(instanceType.name, Math.min(leaving.get(instanceType.name) ?? price, price));
  }
  const shared = replacement.types.flatMap(({ name }) => leaving.get(name) ?? []);
  if (shared.length === 0) return replace(replacement);
  const most = Math.min(...shared);
  const types = replacement.types.filter((type) => prices.worstPrice(type, replacement.requirements) < most);
  return narrowed(replacement, types, prices);
}

function narrowed(replacement: Replacement, types: readonly InstanceType[], prices: PriceBook): Verdict {
  if (types.length === 0) return keep("Can't replace with a cheaper node");
  const { shortfalls } = prices.minValues(replacement, types);
  if (shortfalls.length > 0) return keep(`Filtering by price: ${minValuesText(shortfalls)}`);
  return replace(
    types.length === replacement.types.length ? replacement : prices.limitedTo(replacement, types),
  );
}

/** Only one node may stand in for others. */
export function manyNewNodes(count: number): string {
  return `Can't remove without creating ${count} candidates`;
}

function keep(message: string): Verdict {
  return { kind: 'keep', message };
}

function replace(replacement: Replacement): Verdict {
  return { kind: 'replace', replacements: [replacement] };
}
