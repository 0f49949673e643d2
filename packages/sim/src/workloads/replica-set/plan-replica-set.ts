import { compileLabelSelector } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { ReplicaSet, ReplicaSetStatus } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf, isControlledBy } from '../../objects/object-key.ts';
import {
  isActive,
  isAvailable,
  isFinished,
  isReady,
  isTerminating,
  readySince,
} from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';

/** The burstReplicas of Kubernetes: pods created or deleted per reconcile. */
const burst = 500;

/** A field that our API types do not have yet: pods that are terminating but not gone. */
export interface Terminating {
  readonly terminatingReplicas?: number;
}

export interface ReplicaSetPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
  /** Unowned pods that the selector matches. */
  readonly adopt: readonly Pod[];
  /** Owned pods that the selector no longer matches. */
  readonly release: readonly Pod[];
  readonly status: ReplicaSetStatus & Terminating;
  /** When the next ready pod becomes available by minReadySeconds. */
  readonly requeueAfterMs?: number;
}

/**
 * Decides what a ReplicaSet creates, deletes, adopts and releases. A pure function of the objects and the
 * time.
 */
export function planReplicaSet(set: ReplicaSet, pods: readonly Pod[], now: Instant): ReplicaSetPlan {
  const isBeingDeleted = isTerminating(set);
  const { active, adopt, release, terminating } = classified(set, pods);
  const difference = (set.spec?.replicas ?? 1) - active.length;
  const wait = nextAvailability(active, set.spec?.minReadySeconds ?? 0, now);
  return {
    create: isBeingDeleted ? 0 : Math.min(burst, Math.max(0, difference)),
    remove:
      isBeingDeleted || difference >= 0 ? [] : deletionOrder(active).slice(0, Math.min(burst, -difference)),
    adopt,
    release,
    status: { ...statusOf(set, active, now), terminatingReplicas: terminating },
    ...(wait !== undefined && { requeueAfterMs: wait }),
  };
}

interface ClassifiedPods {
  /** The pods that count as replicas, including those to adopt. */
  readonly active: Pod[];
  readonly adopt: Pod[];
  readonly release: Pod[];
  terminating: number;
}

/**
 * Classifies all pods in one pass, because a ReplicaSet of hundreds of pods is reconciled whenever one of
 * them changes.
 */
function classified(set: ReplicaSet, pods: readonly Pod[]): ClassifiedPods {
  const selects = compileLabelSelector(set.spec?.selector);
  const into: ClassifiedPods = { active: [], adopt: [], release: [], terminating: 0 };
  const mayAdopt = !isTerminating(set);
  for (const pod of pods) {
    const isSelected = selects(pod.metadata?.labels ?? {});
    if (isControlledBy(pod, set)) classifyOwned(pod, isSelected, into);
    else if (mayAdopt && isSelected && isActive(pod) && controllerOf(pod) === undefined) {
      into.adopt.push(pod);
      into.active.push(pod);
    }
  }
  return into;
}

function classifyOwned(pod: Pod, isSelected: boolean, into: ClassifiedPods): void {
  if (isFinished(pod)) return;
  if (!isSelected) into.release.push(pod);
  else if (isTerminating(pod)) into.terminating += 1;
  else into.active.push(pod);
}

function statusOf(set: ReplicaSet, active: readonly Pod[], now: Instant): ReplicaSetStatus {
  const wanted = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const counts = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
  for (const pod of active) {
    const labels = pod.metadata?.labels;
    if (wanted.every(([key, value]) => labels?.[key] === value)) counts.fullyLabeledReplicas += 1;
    if (!isReady(pod)) continue;
    counts.readyReplicas += 1;
    if (isAvailable(pod, minReadySeconds, now)) counts.availableReplicas += 1;
  }
  return {
    replicas: active.length,
    ...counts,
    ...(set.metadata?.generation !== undefined && { observedGeneration: set.metadata.generation }),
  };
}

export function nextAvailability(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: Instant,
): number | undefined {
  if (minReadySeconds === 0) return undefined;
  const waits = pods.flatMap((pod) => {
    const since = readySince(pod);
    const wait = since === undefined ? 0 : since + minReadySeconds * 1000 - now;
    return wait > 0 ? [wait] : [];
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The order in which pods are deleted, as in Kubernetes: without a node, not running, not ready, with a low
 * pod-deletion-cost, on nodes with many replicas, ready or created most recently.
 */
export function deletionOrder(pods: readonly Pod[]): readonly Pod[] {
  const siblings = new Map<string, number>();
  for (const { spec } of pods) {
    const node = spec?.nodeName ?? '';
    siblings.set(node, (siblings.get(node) ?? 0) + 1);
  }
  const ranks = new Map(pods.map((pod) => [pod, rankOf(pod, siblings.get(pod.spec?.nodeName ?? '') ?? 0)]));
  return pods.toSorted((a, b) => compareRanks(ranks.get(a) ?? [], ranks.get(b) ?? []));
}

const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

function rankOf(pod: Pod, siblingCount: number): readonly number[] {
  const created = instantOf(pod.metadata?.creationTimestamp) ?? 0;
  return [
    pod.spec?.nodeName ? 1 : 0,
    phases[pod.status?.phase ?? 'Pending'] ?? 0,
    isReady(pod) ? 1 : 0,
    Number(pod.metadata?.annotations?.[deletionCost] ?? 0) || 0,
    -siblingCount,
    -(readySince(pod) ?? 0),
    -restarts(pod),
    -created,
  ];
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, rank] of a.entries()) {
    const difference = rank - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
