import type { PackedNode, PackingProblem } from '../packing/packing-problem.ts';
import { cheapestFirst, type DomainRanking } from '../topology/domain-ranking.ts';

/** How an attempt at a plan chooses where the rules leave a choice. */
export interface AttemptPolicy {
  readonly ranking: DomainRanking;
  /** One new node for all pods of a pool, which is taken even if several nodes cost less; absent to pack by price. */
  readonly packOnOne?: (problem: PackingProblem) => PackedNode | undefined;
  /** Whether packing accepts a higher price to use less of NodePool limits, if that places more pods. */
  readonly sparesLimits: boolean;
  /**
   * Whether packing within limits values pods by what they cost in lighter NodePools rather than in this one, so that
   * it takes those that cost more there.
   */
  readonly valuesByAlternatives: boolean;
  /** Whether pods that a quota keeps waiting get nodes on capacity reservations that packing left unused. */
  readonly fillsReservations: boolean;
}

export const cheapestPolicy: AttemptPolicy = {
  ranking: cheapestFirst,
  sparesLimits: false,
  valuesByAlternatives: false,
  fillsReservations: false,
};
