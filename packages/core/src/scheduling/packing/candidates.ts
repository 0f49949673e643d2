import type { ItemGroups } from './item-groups.ts';
import { fewOffers, type OfferFrontier } from './offer-frontier.ts';
import { resourcePrices } from './resource-prices.ts';

/** An offer that asks so much more for what it has than smaller ones do is left out. */
const tolerated = 1.1;
/** Offers up to so much dearer count among the smaller ones. */
const reach = 2;

/**
 * The offers in which nodes are looked for. Where offers that cost less, or not much more, give resources for
 * less, one can hardly win, however it is filled. All others still count when nodes are made as small as what is
 * on them allows, which is where the last few pods go.
 */
export function candidateOffers(groups: ItemGroups, frontier: OfferFrontier): Uint32Array {
  if (frontier.length <= fewOffers) return frontier.spaced;
  const asked = pricesForWorth(groups, frontier);
  const candidates = bySignature(frontier).flatMap((alike) => goodOf(alike, asked, frontier));
  return Uint32Array.from(candidates).sort();
}

/** Of offers for the same items, those that are not much worse than any that costs about as much or less. */
function goodOf(
  alike: readonly number[],
  asked: Float64Array,
  { price, endless }: OfferFrontier,
): readonly number[] {
  let ahead = 0;
  let least = Number.POSITIVE_INFINITY;
  return alike.filter((offer) => {
    const most = reach * (price[offer] ?? 0);
    for (; ahead < alike.length && (price[alike[ahead] ?? 0] ?? 0) <= most; ahead++)
      least = Math.min(least, asked[alike[ahead] ?? 0] ?? 0);
    return endless[offer] !== 1 || !((asked[offer] ?? 0) > tolerated * least);
  });
}

/** What each offer asks for one of worth, if all it has were used. */
function pricesForWorth(groups: ItemGroups, frontier: OfferFrontier): Float64Array {
  const { resources } = groups;
  const prices = resourcePrices(groups, frontier);
  const asked = new Float64Array(frontier.length);
  for (const offer of frontier.spaced) {
    let worth = 0;
    for (let r = 0; r < resources; r++)
      worth += (prices[r] ?? 0) * (frontier.room[offer * resources + r] ?? 0);
    asked[offer] = (frontier.price[offer] ?? 0) / worth;
  }
  return asked;
}

/** Offers for the same items, the cheapest first. */
function bySignature({ spaced, signature }: OfferFrontier): readonly (readonly number[])[] {
  const alike = new Map<number, number[]>();
  for (const offer of spaced) {
    const known = alike.get(signature[offer] ?? 0);
    if (known === undefined) alike.set(signature[offer] ?? 0, [offer]);
    else known.push(offer);
  }
  return [...alike.values()];
}
