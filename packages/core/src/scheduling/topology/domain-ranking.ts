import { howManyFit } from '../context/resource-axes.ts';

/** The fields of an offer that rankings read. */
interface DomainOffer {
  readonly price: number;
  readonly room: Float64Array;
}

/**
 * Decides between domains that are equally good for a topology group: the one with the lowest number wins. Karpenter
 * takes a random one.
 */
export interface DomainRanking {
  /** Number of one offer in the domain; that of a domain is the lowest of its offers. */
  readonly ofOffer: (offer: DomainOffer, size: Float64Array) => number;
  /** Whether an offer with a higher price never has a lower number. */
  readonly keepsOrder: boolean;
  /** Number of the domain by its rank among all names; takes precedence over the offers. */
  readonly ofRank?: (rank: number) => number;
}

/** The domain with the cheapest node for one pod. */
export const cheapestFirst: DomainRanking = { ofOffer: ({ price }) => price, keepsOrder: true };

/** The domain with the lowest price per pod on a node full of such pods. */
export const fullestFirst: DomainRanking = {
  ofOffer: ({ price, room }, size) => price / howManyFit(size, room),
  keepsOrder: false,
};

/** Records whether a ranking was used: if not, all rankings give the same plan. */
export function observedRanking(ranking: DomainRanking): ObservedRanking {
  let isUsed = false;
  const ofOffer: DomainRanking['ofOffer'] = (offer, size) => {
    isUsed = true;
    return ranking.ofOffer(offer, size);
  };
  return { ranking: { ...ranking, ofOffer }, isUsed: () => isUsed };
}

interface ObservedRanking {
  readonly ranking: DomainRanking;
  readonly isUsed: () => boolean;
}

/** One domain before all others, by its rank among the names. */
export function preferredDomain(first: number): DomainRanking {
  return { ...cheapestFirst, ofRank: (rank) => Number(rank !== first) };
}
