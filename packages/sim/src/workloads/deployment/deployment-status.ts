import type { Instant } from '@karpenter/kube/runtime';
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
  ReplicaSetStatus,
} from 'kubernetes-types/apps/v1.js';
import { instantOf, timestamp } from '../../objects/timestamp.ts';
import { type ConditionText, stamped } from '../object-status.ts';
import type { Terminating } from '../replica-set/plan-replica-set.ts';
import { boundsOf, desiredReplicas, type Rollout, replicasOf } from './rollout.ts';

const defaultDeadlineSeconds = 600;

interface Counts {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

/** The status of a Deployment, with the conditions that `kubectl rollout status` reads. */
export function deploymentStatus(rollout: Rollout, now: Instant): DeploymentStatus & Terminating {
  const { deployment, newSet, oldSets } = rollout;
  const counts = countsOf(newSet, oldSets);
  const known = deployment.status?.conditions;
  const terminating = terminatingOf(newSet === undefined ? oldSets : [newSet, ...oldSets]);
  const conditions = [
    updated(known, availability(deployment, counts), now),
    ...progressConditions(rollout, counts, now),
  ];
  return {
    observedGeneration: deployment.metadata?.generation ?? 0,
    replicas: counts.replicas,
    updatedReplicas: counts.updated,
    readyReplicas: counts.ready,
    availableReplicas: counts.available,
    unavailableReplicas: Math.max(0, counts.replicas - counts.available),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    conditions,
    ...(deployment.status?.collisionCount !== undefined && {
      collisionCount: deployment.status.collisionCount,
    }),
  };
}

function countsOf(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): Counts {
  const all = [...(newSet === undefined ? [] : [newSet]), ...oldSets];
  const sum = (count: (set: ReplicaSet) => number | undefined) =>
    all.reduce((total, set) => total + (count(set) ?? 0), 0);
  return {
    replicas: sum(({ status }) => status?.replicas),
    updated: newSet?.status?.replicas ?? 0,
    ready: sum(({ status }) => status?.readyReplicas),
    available: sum(({ status }) => status?.availableReplicas),
  };
}

/** Undefined while one of the ReplicaSets has not reported the number. */
function terminatingOf(sets: readonly ReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of sets) {
    const { terminatingReplicas }: ReplicaSetStatus & Terminating = status ?? { replicas: 0 };
    if (terminatingReplicas === undefined) return undefined;
    total += terminatingReplicas;
  }
  return total;
}

function availability(deployment: Deployment, { available }: Counts): ConditionText {
  const isEnough = available >= desiredReplicas(deployment) - boundsOf(deployment).unavailable;
  return isEnough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

function isComplete(deployment: Deployment, { replicas, updated, available }: Counts): boolean {
  const desired = desiredReplicas(deployment);
  return (
    updated === desired &&
    replicas === desired &&
    available === desired &&
    deployment.status?.observedGeneration === deployment.metadata?.generation
  );
}

function progressConditions(rollout: Rollout, counts: Counts, now: Instant) {
  const { deployment, newSet } = rollout;
  const known = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  const wasComplete = known?.reason === 'NewReplicaSetAvailable';
  // A completed rollout stays complete: pods that are evicted or rescheduled later are no new rollout, and must not
  // let a deadline expire.
  if (wasComplete && counts.updated === counts.replicas && newSet !== undefined && isCurrent(rollout)) {
    return [known];
  }
  const text = progressText(rollout, counts, now);
  const condition = updated(deployment.status?.conditions, text, now);
  return [isProgress(deployment, counts) ? { ...condition, lastUpdateTime: timestamp(now) } : condition];
}

/** Deployment conditions also have lastUpdateTime, which changes with the reason and the message too. */
function updated(known: readonly DeploymentCondition[] | undefined, next: ConditionText, now: Instant) {
  const before = known?.find(({ type }) => type === next.type);
  const isEqual =
    before?.status === next.status && before.reason === next.reason && before.message === next.message;
  const lastUpdateTime = (isEqual ? before.lastUpdateTime : undefined) ?? timestamp(now);
  return { ...stamped(known, next, now), lastUpdateTime };
}

/** Whether the Progressing condition names the current new ReplicaSet. */
function isCurrent({ deployment, newSet }: Rollout): boolean {
  const message = deployment.status?.conditions?.find(({ type }) => type === 'Progressing')?.message ?? '';
  return message.includes(`"${newSet?.metadata?.name ?? ''}"`);
}

/** Any of these counts as progress and restarts the deadline, as in Kubernetes. */
function isProgress({ status }: Deployment, { updated, ready, available, replicas }: Counts): boolean {
  const oldReplicas = (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    updated > (status?.updatedReplicas ?? 0) ||
    replicas - updated < oldReplicas ||
    ready > (status?.readyReplicas ?? 0) ||
    available > (status?.availableReplicas ?? 0)
  );
}

function progressText(rollout: Rollout, counts: Counts, now: Instant): ConditionText {
  const { deployment, newSet } = rollout;
  const set = `ReplicaSet "${newSet?.metadata?.name ?? ''}"`;
  const type = 'Progressing';
  if (newSet !== undefined && isComplete(deployment, counts)) {
    const message = `${set} has successfully progressed.`;
    return { type, status: 'True', reason: 'NewReplicaSetAvailable', message };
  }
  if (isOverdue(deployment, counts, now)) {
    const message = `${set} has timed out progressing.`;
    return { type, status: 'False', reason: 'ProgressDeadlineExceeded', message };
  }
  if (newSet === undefined || replicasOf(newSet) === 0) {
    return {
      type,
      status: 'True',
      reason: 'NewReplicaSetCreated',
      message: `Created new replica set "${newSet?.metadata?.name ?? ''}"`,
    };
  }
  return { type, status: 'True', reason: 'ReplicaSetUpdated', message: `${set} is progressing.` };
}

function isOverdue(deployment: Deployment, counts: Counts, now: Instant): boolean {
  const known = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  if (known === undefined || known.reason === 'NewReplicaSetAvailable') return false;
  if (known.reason === 'ProgressDeadlineExceeded') return !isProgress(deployment, counts);
  if (deployment.spec?.paused === true || isProgress(deployment, counts)) return false;
  const since = instantOf(known.lastUpdateTime) ?? now;
  const deadline = deployment.spec?.progressDeadlineSeconds ?? defaultDeadlineSeconds;
  return since + deadline * 1000 < now;
}
