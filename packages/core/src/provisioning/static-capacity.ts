import { type NodeClaim, type NodePool, parseTimestamp } from '../api/index.ts';
import { grantedNodes, isProtected, type NodeState, type PoolState, rescheduleCost } from '../state/index.ts';
import { parseNillableDuration, parseResourceList, resourceAmount, toInteger } from '../values/index.ts';

/** The replicas of a static NodePool: how many exist, are desired, are missing or surplus. */
export interface StaticBalance {
  readonly current: number;
  readonly desired: number;
  /** To be created. */
  readonly missing: number;
  readonly surplus: number;
}

/**
 * As in Karpenter, nodes are missing only if active claims and those pending disruption are fewer than replicas; how
 * many are missing then counts from active claims alone.
 */
export function staticBalance({ spec }: NodePool, { claims }: Pick<PoolState, 'claims'>): StaticBalance {
  const { replicas = 0 } = spec;
  const current = claims.active.length;
  const isShort = current + claims.pendingDisruption.length < replicas;
  return {
    current,
    desired: replicas,
    missing: isShort ? replicas - current : 0,
    surplus: Math.max(0, current - replicas),
  };
}

/** How many of the missing nodes the node limit allows. */
export function grantedReplicas({ spec }: NodePool, state: PoolState, missing: number): number {
  const limits = parseResourceList(spec.limits, 'spec.limits');
  if (!Object.hasOwn(limits, 'nodes')) return missing;
  return grantedNodes(state, Number(toInteger(resourceAmount(limits, 'nodes'))), missing);
}

/**
 * The order in which a static pool with too many claims deletes them, as in Karpenter: unlaunched ones, empty
 * nodes, then by the cost of draining them; nodes with do-not-disrupt pods come last.
 */
export function deprovisioningOrder(
  claims: readonly NodeClaim[],
  nodeStates: readonly NodeState[],
  at: number,
): readonly NodeClaim[] {
  const stateOf = new Map(nodeStates.map((state) => [state.nodeClaim?.metadata.name, state]));
  return claims
    .map((claim) => {
      const state = stateOf.get(claim.metadata.name);
      return { claim, tier: tierOf(claim, state, at), cost: costOf(claim, state, at) };
    })
    .sort(
      (a, b) =>
        a.tier - b.tier || a.cost - b.cost || (a.claim.metadata.name < b.claim.metadata.name ? -1 : 1),
    )
    .map(({ claim }) => claim);
}

const tiers = { unlaunched: 0, empty: 1, movable: 2, protected: 3 } as const;

function tierOf({ status }: NodeClaim, state: NodeState | undefined, at: number): number {
  if ((status?.providerID ?? '') === '') return tiers.unlaunched;
  const pods = state?.pods ?? [];
  if (pods.some(({ pod }) => isProtected(pod, at))) return tiers.protected;
  return pods.every(({ isDaemon }) => isDaemon) ? tiers.empty : tiers.movable;
}

/** Reschedule cost, weighted by the remaining lifetime of the node. */
function costOf(claim: NodeClaim, state: NodeState | undefined, at: number): number {
  return rescheduleCost(state?.pods ?? []) * lifetimeLeft(claim, at);
}

/** From 1 for a new node to 0 for one that expires now; always 1 for one that never expires. */
function lifetimeLeft({ metadata, spec }: NodeClaim, at: number): number {
  const { ns } = parseNillableDuration(spec.expireAfter, 'spec.expireAfter');
  const created = parseTimestamp(metadata.creationTimestamp ?? '');
  if (ns === undefined || created === undefined) return 1;
  const lifetimeMs = Number(ns / 1_000_000n);
  const ageMs = at - created.epochSeconds * 1000;
  return lifetimeMs === 0 ? 0 : Math.min(1, Math.max(0, 1 - ageMs / lifetimeMs));
}
