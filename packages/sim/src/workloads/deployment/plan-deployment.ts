import { kinds } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { canonicalText } from '../../kube-scheduler/pods/pod-selection.ts';
import { isControlledBy } from '../../objects/object-key.ts';
import { isFinished, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';
import { controllerReference, templateHash } from '../pod-template.ts';
import { deploymentStatus } from './deployment-status.ts';
import {
  boundsOf,
  desiredReplicas,
  type Replicas,
  type Rollout,
  recreate,
  replicasOf,
  rollForward,
  scaleInProportion,
} from './rollout.ts';

const hashLabel = 'pod-template-hash';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
const defaultHistoryLimit = 10;

export interface ReplicaSetChange {
  readonly set: ReplicaSet;
  readonly replicas: number;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface DeploymentPlan {
  readonly create?: ReplicaSet;
  readonly changes: readonly ReplicaSetChange[];
  readonly remove: readonly ReplicaSet[];
  readonly status: DeploymentStatus;
  /** The revision to write to the annotation of the Deployment. */
  readonly revision: string | undefined;
}

interface DeploymentInputs {
  readonly sets: readonly ReplicaSet[];
  readonly podsOf: (set: ReplicaSet) => readonly Pod[];
  readonly now: Instant;
}

/**
 * Decides the next step of a Deployment from its ReplicaSets and their pods. A pure function; each step waits
 * for the watch to show the last one.
 */
export function planDeployment(
  deployment: Deployment,
  { sets, podsOf, now }: DeploymentInputs,
): DeploymentPlan {
  const owned = sets.filter((set) => isControlledBy(set, deployment) && !isTerminating(set)).toSorted(byAge);
  const rollout = rolloutOf(deployment, owned);
  const status = deploymentStatus(rollout, now);
  const known = revisionOf(rollout.newSet);
  if (isTerminating(deployment)) return { changes: [], remove: [], status, revision: known };
  if (deployment.spec?.paused === true || isScaling(rollout)) {
    const changes = changesFor(rollout, scaleInProportion(rollout));
    return { changes, remove: beyondHistoryLimit(rollout), status, revision: known };
  }
  if (rollout.newSet === undefined) {
    const create = newReplicaSet(rollout);
    return { create, changes: [], remove: [], status, revision: revisionOf(create) };
  }
  const steps = nextSteps(rollout, podsOf);
  const changes = changesFor(rollout, steps);
  return {
    changes,
    remove: changes.length === 0 ? beyondHistoryLimit(rollout) : [],
    status,
    revision: nextRevision(rollout),
  };
}

function nextSteps(rollout: Rollout, podsOf: (set: ReplicaSet) => readonly Pod[]): Replicas {
  if (rollout.deployment.spec?.strategy?.type !== 'Recreate') return rollForward(rollout);
  const remaining = rollout.oldSets.some((set) =>
    podsOf(set).some((pod) => isControlledBy(pod, set) && !isFinished(pod)),
  );
  return recreate(rollout, remaining);
}

function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const createdA = instantOf(a.metadata?.creationTimestamp) ?? 0;
  const createdB = instantOf(b.metadata?.creationTimestamp) ?? 0;
  return createdA - createdB || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1);
}

/** Only the template of a ReplicaSet has the hash label, so it is left out of the comparison. */
function withoutHash(template: PodTemplateSpec | undefined): string {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  return canonicalText({ ...template, metadata: { ...template?.metadata, labels } });
}

function rolloutOf(deployment: Deployment, owned: readonly ReplicaSet[]): Rollout {
  const wanted = withoutHash(deployment.spec?.template);
  // Several ReplicaSets may match, for example after an upgrade added a default; like Kubernetes, take the oldest.
  const newSet = owned.find(({ spec }) => withoutHash(spec?.template) === wanted);
  return { deployment, newSet, oldSets: owned.filter((set) => set !== newSet) };
}

/**
 * Whether the Deployment was scaled since its ReplicaSets were last written, by the desired-replicas
 * annotation.
 */
function isScaling({ deployment, newSet, oldSets }: Rollout): boolean {
  const active = [...(newSet === undefined ? [] : [newSet]), ...oldSets].filter((set) => replicasOf(set) > 0);
  const desired = String(desiredReplicas(deployment));
  return active.some(({ metadata }) => (metadata?.annotations?.[desiredAnnotation] ?? desired) !== desired);
}

function revisionOf(set: ReplicaSet | undefined): string | undefined {
  return set?.metadata?.annotations?.[revisionAnnotation];
}

/**
 * One more than the highest revision of the old ReplicaSets; a rollback to an old ReplicaSet gets a new
 * revision too.
 */
function nextRevision({ newSet, oldSets }: Rollout): string {
  const highest = Math.max(0, ...oldSets.map((set) => Number(revisionOf(set) ?? 0) || 0));
  const own = Number(revisionOf(newSet) ?? 0) || 0;
  return String(own > highest ? own : highest + 1);
}

function annotationsFor(rollout: Rollout): Readonly<Record<string, string>> {
  const desired = desiredReplicas(rollout.deployment);
  return {
    [desiredAnnotation]: String(desired),
    [maxAnnotation]: String(desired + boundsOf(rollout.deployment).surge),
  };
}

function changesFor(rollout: Rollout, replicas: Replicas): readonly ReplicaSetChange[] {
  const { newSet, oldSets } = rollout;
  const isPaused = rollout.deployment.spec?.paused === true;
  return [...(newSet === undefined ? [] : [newSet]), ...oldSets].flatMap((set) => {
    const count = replicas.get(set) ?? replicasOf(set);
    const isNew = set === newSet && !isPaused;
    const annotations = {
      ...(count > 0 || isNew ? annotationsFor(rollout) : {}),
      ...(isNew ? { [revisionAnnotation]: nextRevision(rollout) } : {}),
    };
    const isSame =
      count === replicasOf(set) &&
      Object.entries(annotations).every(([key, value]) => set.metadata?.annotations?.[key] === value);
    return isSame ? [] : [{ set, replicas: count, annotations }];
  });
}

function newReplicaSet(rollout: Rollout): ReplicaSet {
  const { deployment, oldSets } = rollout;
  const { metadata = {}, spec } = deployment;
  const hash = templateHash(spec?.template, deployment.status?.collisionCount ?? 0);
  const template = spec?.template ?? {};
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const desired = desiredReplicas(deployment);
  const present = oldSets.reduce((sum, set) => sum + replicasOf(set), 0);
  const isRecreate = spec?.strategy?.type === 'Recreate';
  const room = Math.max(0, desired + boundsOf(deployment).surge - present);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name ?? ''}-${hash}`,
      namespace: metadata.namespace ?? 'default',
      labels,
      annotations: {
        ...inherited(metadata.annotations),
        ...annotationsFor(rollout),
        [revisionAnnotation]: nextRevision(rollout),
      },
      ownerReferences: [controllerReference({ kind: kinds.deployment, metadata })],
    },
    spec: {
      replicas: isRecreate && present > 0 ? 0 : Math.min(desired, room),
      ...(spec?.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec?.selector,
        matchLabels: { ...spec?.selector.matchLabels, [hashLabel]: hash },
      },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The last applied configuration describes the Deployment; on a ReplicaSet it would mislead `kubectl apply`. */
function inherited(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = new Set([revisionAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']);
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !own.has(key)));
}

/** Old ReplicaSets beyond revisionHistoryLimit, once they are empty. */
function beyondHistoryLimit({ deployment, oldSets }: Rollout): readonly ReplicaSet[] {
  const isEmpty = (set: ReplicaSet) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0;
  const surplus = oldSets.length - (deployment.spec?.revisionHistoryLimit ?? defaultHistoryLimit);
  const byRevision = oldSets.toSorted((a, b) => Number(revisionOf(a) ?? 0) - Number(revisionOf(b) ?? 0));
  return surplus > 0 ? byRevision.slice(0, surplus).filter(isEmpty) : [];
}
