import { cheapestFirst, type DomainRanking } from '../topology/domain-ranking.ts';

/** How an attempt at a plan chooses where the rules leave a choice. */
export interface AttemptPolicy {
  readonly ranking: DomainRanking;
  /** Whether the pods of a pool go to one new node if one can hold them, even if several nodes cost less. */
  readonly packsOnOne: boolean;
  /** Whether packing accepts a higher price to use less of NodePool limits, if that places more pods. */
  readonly sparesLimits: boolean;
  /** Whether pods that a quota keeps waiting get nodes on capacity reservations that packing left unused. */
  readonly fillsReservations: boolean;
}

export const cheapestPolicy: AttemptPolicy = {
  ranking: cheapestFirst,
  packsOnOne: false,
  sparesLimits: false,
  fillsReservations: false,
};
