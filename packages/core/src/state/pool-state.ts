import type { QuantityTexts } from '../values/index.ts';

/** What there is of a NodePool, whether or not the NodePool itself still exists. */
export interface PoolState {
  readonly name: string;
  /** Capacity of its nodes that stay, with their number as `nodes`. NodeClaims that are not launched have none yet. */
  readonly resources: QuantityTexts;
  readonly claims: PoolClaims;
  /** Nodes that somebody is about to ask for, within the limits. */
  readonly reserved: number;
}

/** Names of NodeClaims, launched or not, in order; each stands in one list. */
export interface PoolClaims {
  readonly active: readonly string[];
  readonly deleting: readonly string[];
  /** Picked by a command that has not marked its node yet. */
  readonly pendingDisruption: readonly string[];
}

export const noClaims: PoolClaims = Object.freeze({ active: [], deleting: [], pendingDisruption: [] });

/** How many of the wanted nodes may be reserved under a limit on their number. */
export function grantedNodes({ claims, reserved }: PoolState, limit: number, wanted: number): number {
  const taken = claims.active.length + claims.deleting.length + claims.pendingDisruption.length + reserved;
  return Math.max(0, Math.min(wanted, limit - taken));
}
