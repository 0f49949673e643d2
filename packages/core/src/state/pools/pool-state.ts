import type { QuantityTexts } from '../../values/index.ts';

/** The nodes and NodeClaims of a NodePool, whether or not the NodePool itself still exists. */
export interface PoolState {
  readonly name: string;
  /**
   * Capacity of its nodes that are not marked for deletion, and their number as `nodes`. Claims that are not
   * launched add nothing.
   */
  readonly resources: QuantityTexts;
  readonly claims: PoolClaims;
  /** Nodes reserved within the node limit for NodeClaims that are about to be created. */
  readonly reserved: number;
}

/** Names of NodeClaims, launched or not, sorted; each is in exactly one list. */
export interface PoolClaims {
  readonly active: readonly string[];
  readonly deleting: readonly string[];
  /** Chosen by a command that has not marked its node yet. */
  readonly pendingDisruption: readonly string[];
}

export const noClaims: PoolClaims = Object.freeze({ active: [], deleting: [], pendingDisruption: [] });

/** How many of the wanted nodes may be reserved without exceeding the node limit. */
export function grantedNodes({ claims, reserved }: PoolState, limit: number, wanted: number): number {
  const taken = claims.active.length + claims.deleting.length + claims.pendingDisruption.length + reserved;
  return Math.max(0, Math.min(wanted, limit - taken));
}
