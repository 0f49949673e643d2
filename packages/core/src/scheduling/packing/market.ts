import { endsStep } from '../../yielding/index.ts';
import { groupItems, type ItemGroups } from './item-groups.ts';
import { Ledger } from './ledger.ts';
import { candidateOffers } from './offers/candidates.ts';
import { type OfferFrontier, offerFrontier } from './offers/offer-frontier.ts';
import { OfferIndex } from './offers/offer-index.ts';
import type { PackingProblem } from './packing-problem.ts';
import { Filler, wholeTimes } from './patterns/fill.ts';

/**
 * A packing problem in flat arrays, laid out for speed: the groups of items to pack, the offers to choose from, and
 * what is left of reservations and limits.
 */
export interface Market {
  readonly groups: ItemGroups;
  readonly frontier: OfferFrontier;
  readonly ledger: Ledger;
  readonly offers: OfferIndex;
  readonly filler: Filler;
  /** Lowest price of one unit of a group on nodes with no other group; infinite if it fits on no offer. */
  readonly alone: Float64Array;
  /** Room of all offers together, which makes amounts of different resources comparable. */
  readonly scale: Float64Array;
}

/** Lays out a problem; yields in between, because that takes a while for a large one. */
export function* openMarket(problem: PackingProblem): Generator<void, Market> {
  const groups = groupItems(problem);
  yield;
  const whole = offerFrontier(problem, groups);
  const frontier = { ...whole, candidates: candidateOffers(groups, whole, problem.limitsLeft !== undefined) };
  yield;
  const alone = new Float64Array(groups.length);
  for (let group = 0; group < groups.length; group++) {
    alone[group] = priceAlone(groups, frontier, group);
    if (endsStep(group)) yield;
  }
  const ledger = new Ledger(problem);
  return {
    groups,
    frontier,
    ledger,
    offers: new OfferIndex({ groups, frontier, ledger }),
    filler: new Filler(groups),
    alone,
    scale: totalRoom(frontier, groups.resources),
  };
}

/** How many units of one group fit on a node of a frontier offer. */
export function holds(groups: ItemGroups, frontier: OfferFrontier, offer: number, group: number): number {
  const { resources, size, caps, capMost } = groups;
  if (frontier.allows[offer * groups.masks.length + (groups.mask[group] ?? 0)] !== 1) return 0;
  let most = groups.units[group] ?? 0;
  for (let r = 0; r < resources; r++) {
    const each = size[group * resources + r] ?? 0;
    if (each > 0) most = Math.min(most, wholeTimes(frontier.room[offer * resources + r] ?? 0, each));
  }
  for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++)
    most = Math.min(most, Math.floor(capMost[caps.entries[c] ?? 0] ?? 0));
  return Math.max(0, most);
}

/**
 * Reserved offers do not set the marginal price, because they run out; they count only if there are no
 * others.
 */
function priceAlone(groups: ItemGroups, frontier: OfferFrontier, group: number): number {
  const units = groups.units[group] ?? 0;
  let least = Number.POSITIVE_INFINITY;
  let leastLimited = Number.POSITIVE_INFINITY;
  for (let offer = 0; offer < frontier.length; offer++) {
    const whole = frontier.price[offer] ?? 0;
    // Offers are in ascending order of price: from here on even one with room for all units costs more per unit.
    if (whole > least * units) break;
    const most = holds(groups, frontier, offer, group);
    if (most < 1) continue;
    if (frontier.unreserved[offer] === 1) least = Math.min(least, whole / most);
    else leastLimited = Math.min(leastLimited, whole / most);
  }
  return least < Number.POSITIVE_INFINITY ? least : leastLimited;
}

function totalRoom(frontier: OfferFrontier, resources: number): Float64Array {
  const total = new Float64Array(resources);
  for (let offer = 0; offer < frontier.length; offer++)
    for (let r = 0; r < resources; r++)
      total[r] = (total[r] ?? 0) + (frontier.room[offer * resources + r] ?? 0);
  return total;
}
