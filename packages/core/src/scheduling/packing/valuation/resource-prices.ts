import type { ItemGroups } from '../item-groups.ts';
import type { OfferFrontier } from '../offers/offer-frontier.ts';
import type { Offer } from '../packing-problem.ts';
import { CoverProgram } from './cover-program.ts';

/** Enough for a programme of a few rows. */
const maxPivots = 40;

/** The marginal price of one unit of each resource, if the offers of the frontier cover the demand of all groups. */
export function resourcePrices(groups: ItemGroups, frontier: OfferFrontier): Float64Array {
  const { resources } = groups;
  const { candidates, room, price } = frontier;
  const offers = Array.from(candidates, (offer) => ({
    room: room.subarray(offer * resources, (offer + 1) * resources),
    price: price[offer] ?? 0,
  }));
  return marginalPrices(totalDemand(groups), offers);
}

/**
 * The marginal price of one unit of each resource: the duals of covering all demand at the lowest price if
 * items could be divided at will. Zero for a resource that is in surplus anyway.
 */
export function marginalPrices(
  demand: Float64Array,
  offers: readonly Pick<Offer, 'room' | 'price'>[],
): Float64Array {
  // As fractions of the whole demand, so that rows have about the same scale; resources without demand cover nothing.
  const parts = offers.map(({ room }) => demand.map((whole, r) => (whole > 0 ? (room[r] ?? 0) / whole : 0)));
  const prices = Float64Array.from(offers, ({ price }) => price);
  const program = new CoverProgram(pricesAlone(prices, parts, demand.length));
  parts.forEach((part, i) => {
    program.add(prices[i] ?? 0, part);
  });
  program.solve(maxPivots);
  return program.duals.map((dual, r) => ((demand[r] ?? 0) > 0 ? dual / (demand[r] ?? 1) : 0));
}

/** The lowest price at which each resource alone could be covered. */
function pricesAlone(prices: Float64Array, parts: readonly Float64Array[], resources: number): Float64Array {
  const alone = new Float64Array(resources).fill(Number.MAX_VALUE);
  parts.forEach((part, i) => {
    for (let r = 0; r < resources; r++) {
      const covered = part[r] ?? 0;
      if (covered > 0) alone[r] = Math.min(alone[r] ?? 0, (prices[i] ?? 0) / covered);
    }
  });
  return alone.map((least) => (least < Number.MAX_VALUE ? least : 0));
}

export function totalDemand({ length, resources, size, units }: ItemGroups): Float64Array {
  const demand = new Float64Array(resources);
  for (let group = 0; group < length; group++)
    for (let r = 0; r < resources; r++)
      demand[r] = (demand[r] ?? 0) + (units[group] ?? 0) * (size[group * resources + r] ?? 0);
  return demand;
}
