import { capacityTypes, consolidationTuning } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import { minValuesText } from '../../requirements/index.ts';
import { type Candidate, totalPrice } from '../candidates/candidate.ts';
import { failuresText, type RemovalOutcome } from '../cluster-simulation.ts';
import type { PriceBook, Replacement } from './price-book.ts';

/** Whether candidates can be deleted or replaced, or the message of the event `Unconsolidatable`. */
export type ConsolidationVerdict =
  | { readonly kind: 'delete' }
  | { readonly kind: 'replace'; readonly replacements: readonly Replacement[] }
  | { readonly kind: 'keep'; readonly message: string };

export interface DecisionContext {
  readonly prices: PriceBook;
  /** Feature gate SpotToSpotConsolidation. */
  readonly allowsSpotToSpot: boolean;
}

/** Decides what to do with candidates after simulating the cluster without them. */
export function decideConsolidation(
  candidates: readonly Candidate[],
  { plan, failures }: Pick<RemovalOutcome, 'plan' | 'failures'>,
  context: DecisionContext,
): ConsolidationVerdict {
  if (failures.length > 0) return keep(failuresText(failures));
  const [planned, ...others] = plan.newNodes;
  if (planned === undefined) return { kind: 'delete' };
  if (others.length > 0) return keep(manyNewNodes(plan.newNodes.length));
  const replacement = context.prices.replacement(planned);
  // As in Karpenter, a mix of spot and on-demand candidates is not spot-to-spot and bypasses its feature gate.
  const isSpotToSpot =
    candidates.every(({ state }) => state.offering.capacityType === capacityTypes.spot) &&
    context.prices.allows(replacement, capacityTypes.spot);
  const verdict = isSpotToSpot
    ? spotToSpot(candidates, replacement, context)
    : cheaper(candidates, replacement, context);
  if (verdict.kind !== 'replace' || candidates.length === 1) return verdict;
  return thenReplacement(verdict, (found) => withoutSameTypes(candidates, found, context));
}

function cheaper(
  candidates: readonly Candidate[],
  replacement: Replacement,
  { prices }: DecisionContext,
): ConsolidationVerdict {
  const filtered = belowPrice(candidates, replacement, prices);
  return thenReplacement(filtered, (found) => replace(pinnedToSpot(found, prices)));
}

/**
 * Pins a launch that may be spot or on-demand to spot: a failed spot launch must not fall back to on-demand,
 * which may cost more than the candidates.
 */
export function pinnedToSpot(replacement: Replacement, prices: PriceBook): Replacement {
  const { spot, onDemand } = capacityTypes;
  const isMixed = [spot, onDemand].every((type) => prices.allows(replacement, type));
  return isMixed ? prices.restricted(replacement, spot) : replacement;
}

function spotToSpot(
  candidates: readonly Candidate[],
  replacement: Replacement,
  { prices, allowsSpotToSpot }: DecisionContext,
): ConsolidationVerdict {
  if (!allowsSpotToSpot) return keep(spotToSpotDisabled);
  const filtered = belowPrice(candidates, prices.restricted(replacement, capacityTypes.spot), prices);
  // As in Karpenter, the minimum number of types applies to a single candidate only.
  if (candidates.length > 1) return filtered;
  return thenReplacement(filtered, (found) => {
    const { types } = found;
    const minTypes = consolidationTuning.spotToSpotMinInstanceTypes;
    if (types.length < minTypes) return keep(spotToSpotTooFewTypes(types.length));
    // A node launched from the cheapest types has too few cheaper ones to be replaced again. With the whole list,
    // the next pass could replace it once more.
    const { needed } = prices.minValues(found, types);
    return replace(prices.limitedTo(found, types.slice(0, Math.max(minTypes, needed))));
  });
}

/** Keeps the types that cost less than the candidates even at their worst price. */
function belowPrice(
  candidates: readonly Candidate[],
  replacement: Replacement,
  prices: PriceBook,
): ConsolidationVerdict {
  const currentPrice = totalPrice(candidates);
  const types = replacement.types.filter((type) =>
    prices.isBelow(type, replacement.requirements, currentPrice),
  );
  return narrowed(replacement, types, prices);
}

/**
 * A replacement of the same type as a candidate must be cheaper than the cheapest such candidate; otherwise
 * keeping that one would have been as good.
 */
function withoutSameTypes(
  candidates: readonly Candidate[],
  replacement: Replacement,
  { prices }: DecisionContext,
): ConsolidationVerdict {
  const leaving = new Map<string, number>();
  for (const { instanceType, price } of candidates) {
    if (instanceType === undefined) continue;
    leaving.set(instanceType.name, Math.min(leaving.get(instanceType.name) ?? price, price));
  }
  const shared = replacement.types.flatMap(({ name }) => leaving.get(name) ?? []);
  if (shared.length === 0) return replace(replacement);
  const maxPrice = Math.min(...shared);
  const types = replacement.types.filter((type) => prices.isBelow(type, replacement.requirements, maxPrice));
  return narrowed(replacement, types, prices);
}

/** The replacement limited to some of its types, unless none or too few for its minValues are left. */
export function narrowed(
  replacement: Replacement,
  types: readonly InstanceType[],
  prices: PriceBook,
): ConsolidationVerdict {
  if (types.length === 0) return keep(notCheaper);
  const { shortfalls } = prices.minValues(replacement, types);
  if (shortfalls.length > 0) return keep(`Filtering by price: ${minValuesText(shortfalls)}`);
  return replace(
    types.length === replacement.types.length ? replacement : prices.limitedTo(replacement, types),
  );
}

/** Only one new node may replace candidates. */
export function manyNewNodes(count: number): string {
  return `Can't remove without creating ${count} candidates`;
}

export const notCheaper = "Can't replace with a cheaper node";

export const spotToSpotDisabled =
  "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node";

export function spotToSpotTooFewTypes(count: number): string {
  return `SpotToSpotConsolidation requires ${consolidationTuning.spotToSpotMinInstanceTypes} cheaper instance type options than the current candidate to consolidate, got ${count}`;
}

export function keep(message: string): ConsolidationVerdict {
  return { kind: 'keep', message };
}

function replace(replacement: Replacement): ConsolidationVerdict {
  return { kind: 'replace', replacements: [replacement] };
}

/** Decides further on the replacement of a verdict, if it has one. */
function thenReplacement(
  verdict: ConsolidationVerdict,
  decide: (replacement: Replacement) => ConsolidationVerdict,
): ConsolidationVerdict {
  const [replacement] = verdict.kind === 'replace' ? verdict.replacements : [];
  return replacement === undefined ? verdict : decide(replacement);
}
