import { howManyFit } from '../context/resource-axes.ts';

/** What an offer in a domain has to say for it. */
export interface DomainOffer {
  readonly price: number;
  readonly room: Float64Array;
}

/** Which of several domains that the rules leave equally good is taken: the one with the lowest number. */
export interface DomainRanking {
  /** Of one offer in the domain; the best of them counts. */
  readonly ofOffer: (offer: DomainOffer, size: Float64Array) => number;
  /** Whether of two offers the dearer never has the lower number. */
  readonly keepsOrder: boolean;
  /** Of the domain by its place among all, in the order of their names; comes before the offers. */
  readonly ofRank?: (rank: number) => number;
}

/** Where the pod alone can be had for the least money. */
export const cheapestFirst: DomainRanking = { ofOffer: ({ price }) => price, keepsOrder: true };

/** Where many such pods could be had for the least money each. */
export const fullestFirst: DomainRanking = {
  ofOffer: ({ price, room }, size) => price / howManyFit(size, room),
  keepsOrder: false,
};

/** One domain before all others. */
export function preferredDomain(first: number): DomainRanking {
  return { ...cheapestFirst, ofRank: (rank) => Number(rank !== first) };
}
