import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import { byText } from './ordered-map.ts';

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

export interface ClaimMarks {
  readonly isDeleting: (claim: NodeClaim) => boolean;
  readonly isPending: (claim: NodeClaim) => boolean;
}

/** Claims that do not say their NodePool belong to none. */
export function claimsByPool(
  claims: Iterable<NodeClaim>,
  marks: ClaimMarks,
): ReadonlyMap<string, PoolClaims> {
  const byPool = new Map<string, Record<keyof PoolClaims, string[]>>();
  for (const claim of claims) {
    const nodePool = claim.metadata.labels?.[labelKeys.nodePool];
    if (nodePool === undefined || nodePool === '') continue;
    const lists = byPool.get(nodePool) ?? { active: [], deleting: [], pendingDisruption: [] };
    lists[listOf(claim, marks)].push(claim.metadata.name);
    byPool.set(nodePool, lists);
  }
  for (const lists of byPool.values()) for (const names of Object.values(lists)) names.sort(byText);
  return byPool;
}

function listOf(claim: NodeClaim, { isDeleting, isPending }: ClaimMarks): keyof PoolClaims {
  if (isDeleting(claim)) return 'deleting';
  return isPending(claim) ? 'pendingDisruption' : 'active';
}

/** How many of the wanted nodes may be reserved under a limit on their number. */
export function grantedNodes({ claims, reserved }: PoolState, limit: number, wanted: number): number {
  const taken = claims.active.length + claims.deleting.length + claims.pendingDisruption.length + reserved;
  return Math.max(0, Math.min(wanted, limit - taken));
}
