import type { ItemGroups } from '../item-groups.ts';
import { resourcePrices } from '../valuation/resource-prices.ts';
import { fewOffers, type OfferFrontier } from './offer-frontier.ts';

/** An offer is left out if its resources cost this much more, for their worth, than those of a rival (ADR 0019). */
const tolerated = 1.1;
/** Rivals cost at most this many times as much. With cheaper rivals only, plans cost up to 3 % more (ADR 0019). */
const reach = 2;
/** Under limits small offers are needed more often: they use up the limits more completely (ADR 0057). */
const reachWithinLimits = 1.25;

/**
 * The offers that the pattern search fills. An offer can hardly be part of a cheap packing if rivals of about its price
 * sell resources for less, however it is filled. The offers left out are still used when nodes are shrunk to the
 * cheapest offer with room for their load, which matters for the last few pods.
 */
export function candidateOffers(groups: ItemGroups, frontier: OfferFrontier, isLimited = false): Uint32Array {
  if (frontier.length <= fewOffers) return frontier.candidates;
  const pricePerWorth = pricesPerWorth(groups, frontier);
  const rivals = { ...frontier, pricePerWorth, reach: isLimited ? reachWithinLimits : reach };
  const candidates = bySignature(frontier).flatMap((alike) => goodOf(alike, rivals));
  return Uint32Array.from(candidates).sort();
}

interface Rivals extends OfferFrontier {
  readonly pricePerWorth: Float64Array;
  readonly reach: number;
}

/**
 * Of offers for the same items, those that are not much worse than any offer of about the same price or less.
 */
function goodOf(
  alike: readonly number[],
  { price, unreserved, pricePerWorth, reach: factor }: Rivals,
): readonly number[] {
  let ahead = 0;
  let least = Number.POSITIVE_INFINITY;
  return alike.filter((offer) => {
    const most = factor * (price[offer] ?? 0);
    for (; ahead < alike.length && (price[alike[ahead] ?? 0] ?? 0) <= most; ahead++)
      least = Math.min(least, pricePerWorth[alike[ahead] ?? 0] ?? 0);
    return unreserved[offer] !== 1 || !((pricePerWorth[offer] ?? 0) > tolerated * least);
  });
}

/** Price of each offer for one unit of worth, if all its resources are used. */
function pricesPerWorth(groups: ItemGroups, frontier: OfferFrontier): Float64Array {
  const { resources } = groups;
  const prices = resourcePrices(groups, frontier);
  const pricePerWorth = new Float64Array(frontier.length);
  for (const offer of frontier.candidates) {
    let worth = 0;
    for (let r = 0; r < resources; r++)
      worth += (prices[r] ?? 0) * (frontier.room[offer * resources + r] ?? 0);
    pricePerWorth[offer] = (frontier.price[offer] ?? 0) / worth;
  }
  return pricePerWorth;
}

/** Groups offers for the same items, the cheapest first. */
function bySignature({ candidates, signature }: OfferFrontier): readonly (readonly number[])[] {
  const alike = new Map<number, number[]>();
  for (const offer of candidates) {
    const known = alike.get(signature[offer] ?? 0);
    if (known === undefined) alike.set(signature[offer] ?? 0, [offer]);
    else known.push(offer);
  }
  return [...alike.values()];
}
