import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { resolveShare } from '../int-or-percent.ts';

/** The desired number of replicas per ReplicaSet. */
export type Replicas = ReadonlyMap<ReplicaSet, number>;

export interface Rollout {
  readonly deployment: Deployment;
  readonly newSet: ReplicaSet | undefined;
  /** Oldest first. */
  readonly oldSets: readonly ReplicaSet[];
}

export function replicasOf({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

export function desiredReplicas({ spec }: Deployment): number {
  return spec?.replicas ?? 1;
}

function sum(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number {
  return sets.reduce((total, set) => total + count(set), 0);
}

function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

interface RolloutBounds {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * maxSurge and maxUnavailable as numbers. If both round to 0, unavailable is 1, because the rollout would
 * never proceed.
 */
export function boundsOf(deployment: Deployment): RolloutBounds {
  const { type = 'RollingUpdate', rollingUpdate } = deployment.spec?.strategy ?? {};
  const desired = desiredReplicas(deployment);
  if (type === 'Recreate') return { surge: 0, unavailable: 0 };
  const surge = resolveShare(rollingUpdate?.maxSurge, { total: desired, rounding: 'up', otherwise: '25%' });
  const unavailable = Math.min(
    desired,
    resolveShare(rollingUpdate?.maxUnavailable, { total: desired, rounding: 'down', otherwise: '25%' }),
  );
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/**
 * The next step of a rolling update: scale the new ReplicaSet up as far as maxSurge allows, then the old ones
 * down.
 */
export function rollForward({ deployment, newSet, oldSets }: Rollout): Replicas {
  if (newSet === undefined) return new Map();
  const grown = scaledUpReplicas(deployment, newSet, oldSets);
  if (grown !== replicasOf(newSet)) return new Map([[newSet, grown]]);
  return scaledDownReplicas(deployment, newSet, oldSets);
}

function scaledUpReplicas(
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): number {
  const desired = desiredReplicas(deployment);
  const present = replicasOf(newSet);
  if (present >= desired) return desired;
  const room = desired + boundsOf(deployment).surge - sum([newSet, ...oldSets], replicasOf);
  return present + Math.max(0, Math.min(room, desired - present));
}

/**
 * Scales the old ReplicaSets down: unavailable replicas first, because they cost no availability, then others
 * as far as maxUnavailable allows.
 */
function scaledDownReplicas(
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): Replicas {
  const all = [newSet, ...oldSets];
  const least = desiredReplicas(deployment) - boundsOf(deployment).unavailable;
  const newUnavailable = replicasOf(newSet) - availableOf(newSet);
  const surplus = sum(all, replicasOf) - least - newUnavailable;
  const result = new Map<ReplicaSet, number>();
  if (surplus <= 0) return result;
  const left = scaleDownUnhealthy(oldSets, surplus, result);
  const spare = Math.min(left, sum(all, availableOf) - least);
  scaleDownHealthy(oldSets, spare, result);
  return result;
}

function scaleDownUnhealthy(
  oldSets: readonly ReplicaSet[],
  surplus: number,
  result: Map<ReplicaSet, number>,
): number {
  let left = surplus;
  for (const set of oldSets) {
    const broken = Math.min(left, replicasOf(set) - availableOf(set));
    if (broken <= 0) continue;
    result.set(set, replicasOf(set) - broken);
    left -= broken;
  }
  return left;
}

function scaleDownHealthy(
  oldSets: readonly ReplicaSet[],
  spare: number,
  result: Map<ReplicaSet, number>,
): void {
  let left = spare;
  for (const set of oldSets) {
    const present = result.get(set) ?? replicasOf(set);
    const taken = Math.min(left, present);
    if (taken <= 0) continue;
    result.set(set, present - taken);
    left -= taken;
  }
}

/** The Recreate strategy: no new pod before every old pod is gone. */
export function recreate({ deployment, newSet, oldSets }: Rollout, oldPodsRemain: boolean): Replicas {
  const running = oldSets.filter((set) => replicasOf(set) > 0);
  if (running.length > 0) return new Map(running.map((set) => [set, 0]));
  if (newSet === undefined || oldPodsRemain) return new Map();
  const desired = desiredReplicas(deployment);
  return replicasOf(newSet) === desired ? new Map() : new Map([[newSet, desired]]);
}

/**
 * Distributes a change of the replica count during a rollout over the ReplicaSets in proportion to their
 * size, so that scaling neither advances nor reverts the rollout.
 */
export function scaleInProportion({ deployment, newSet, oldSets }: Rollout): Replicas {
  const sets = [...(newSet === undefined ? [] : [newSet]), ...oldSets];
  const active = sets.filter((set) => replicasOf(set) > 0);
  const desired = desiredReplicas(deployment);
  const single = active.length <= 1 ? (active[0] ?? newSet ?? oldSets.at(-1)) : undefined;
  if (single !== undefined) return replicasOf(single) === desired ? new Map() : new Map([[single, desired]]);
  const total = sum(active, replicasOf);
  const allowed = desired > 0 ? desired + boundsOf(deployment).surge : 0;
  return shares(
    active.toSorted((a, b) => replicasOf(b) - replicasOf(a)),
    total,
    allowed,
  );
}

/** The proportional shares; the largest ReplicaSet gets the rounding remainder. */
function shares(sets: readonly ReplicaSet[], total: number, allowed: number): Replicas {
  const result = new Map<ReplicaSet, number>();
  let left = allowed - total;
  for (const set of sets) {
    const share = Math.round((replicasOf(set) * allowed) / total) - replicasOf(set);
    const taken = left > 0 ? Math.min(share, left) : Math.max(share, left);
    result.set(set, Math.max(0, replicasOf(set) + taken));
    left -= taken;
  }
  const [largest] = sets;
  if (largest !== undefined && left !== 0)
    result.set(largest, Math.max(0, (result.get(largest) ?? 0) + left));
  return result;
}
