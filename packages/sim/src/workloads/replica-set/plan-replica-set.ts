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

/** At most so many pods are made or deleted at once. */
const burst = 500;

/** What the types of older releases do not have: pods that were asked to end and have not yet. */
export interface Terminating {
  readonly terminatingReplicas?: number;
}

export interface ReplicaSetPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
  /** Pods without an owner that the selector means. */
  readonly adopt: readonly Pod[];
  /** Pods of this set that its selector no longer means. */
  readonly release: readonly Pod[];
  readonly status: ReplicaSetStatus & Terminating;
  /** When a pod that is ready will have been so for long enough. */
  readonly lookAgainInMs?: number;
}

/** All pods of the namespace in, what is to be done out. */
export function planReplicaSet(set: ReplicaSet, pods: readonly Pod[], now: Instant): ReplicaSetPlan {
  const isGoing = isTerminating(set);
  const { active, adopt, release, terminating } = sorted(set, pods);
  const difference = (set.spec?.replicas ?? 1) - active.length;
  const wait = nextAvailability(active, set.spec?.minReadySeconds ?? 0, now);
  return {
    create: isGoing ? 0 : Math.min(burst, Math.max(0, difference)),
    remove: isGoing || difference >= 0 ? [] : leastWanted(active).slice(0, Math.min(burst, -difference)),
    adopt,
    release,
    status: { ...statusOf(set, active, now), terminatingReplicas: terminating },
    ...(wait !== undefined && { lookAgainInMs: wait }),
  };
}

interface SortedPods {
  /** Those that count, with the ones to adopt. */
  readonly active: Pod[];
  readonly adopt: Pod[];
  readonly release: Pod[];
  terminating: number;
}

/** In one go: sets of hundreds of pods look again whenever one of them changes. */
function sorted(set: ReplicaSet, pods: readonly Pod[]): SortedPods {
  const selects = compileLabelSelector(set.spec?.selector);
  const into: SortedPods = { active: [], adopt: [], release: [], terminating: 0 };
  const mayAdopt = !isTerminating(set);
  for (const pod of pods) {
    const isMeant = selects(pod.metadata?.labels ?? {});
    if (isControlledBy(pod, set)) sortOwned(pod, isMeant, into);
    else if (mayAdopt && isMeant && isActive(pod) && controllerOf(pod) === undefined) {
      into.adopt.push(pod);
      into.active.push(pod);
    }
  }
  return into;
}

function sortOwned(pod: Pod, isMeant: boolean, into: SortedPods): void {
  if (isFinished(pod)) return;
  if (!isMeant) into.release.push(pod);
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
 * In the order in which they are given up: without a node, not started, not ready, cheap to delete by their own
 * word, on nodes with many siblings, ready or made most recently.
 */
export function leastWanted(pods: readonly Pod[]): readonly Pod[] {
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
