import type { Instant } from '@karpenter/kube/runtime';
import type { DaemonSet, DaemonSetStatus } from 'kubernetes-types/apps/v1.js';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isControlledBy } from '../../objects/object-key.ts';
import { isActive, isAvailable, isFinished, isReady, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';
import { resolveShare } from '../int-or-percent.ts';
import { templateHash } from '../pod-template.ts';
import { nextAvailability } from '../replica-set/plan-replica-set.ts';
import { nodeShouldRunDaemonPod, targetNode } from './daemon-pod.ts';

export const revisionLabel = 'controller-revision-hash';

export interface DaemonSetPlan {
  /** Names of the nodes that lack their pod. */
  readonly createOn: readonly string[];
  readonly remove: readonly Pod[];
  readonly hash: string;
  readonly status: DaemonSetStatus;
  readonly requeueAfterMs?: number;
}

interface NodeDaemons {
  readonly node: Node;
  readonly shouldRun: boolean;
  readonly shouldContinueRunning: boolean;
  /** Oldest first, including terminating ones. */
  readonly pods: readonly Pod[];
}

interface DaemonSetInputs {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly now: Instant;
}

export function planDaemonSet(set: DaemonSet, { nodes, pods, now }: DaemonSetInputs): DaemonSetPlan {
  const hash = templateHash(set.spec?.template);
  const owned = pods.filter((pod) => isControlledBy(pod, set));
  const all = daemonsByNode(set, nodes, owned);
  const wait = nextAvailability(owned, set.spec?.minReadySeconds ?? 0, now);
  const status = statusOf(set, { all, hash, now });
  if (isTerminating(set)) return { createOn: [], remove: [], hash, status };
  const surplus = all.flatMap(surplusPods);
  const lacking = all.filter(({ shouldRun, pods: own }) => shouldRun && own.every(isFinished));
  // Roll out only when no node lacks its pod; a missing pod counts as unavailable anyway.
  const outdated = lacking.length > 0 ? [] : outdatedPods(set, { all, hash, now });
  return {
    createOn: lacking.map(({ node }) => node.metadata?.name ?? ''),
    remove: [...surplus, ...outdated],
    hash,
    status,
    ...(wait !== undefined && { requeueAfterMs: wait }),
  };
}

function daemonsByNode(
  set: DaemonSet,
  nodes: readonly Node[],
  owned: readonly Pod[],
): readonly NodeDaemons[] {
  const byNode = new Map<string, Pod[]>();
  for (const pod of owned) {
    const name = targetNode(pod);
    byNode.set(name, [...(byNode.get(name) ?? []), pod]);
  }
  const template = set.spec?.template ?? {};
  return nodes.map((node) => ({
    node,
    ...nodeShouldRunDaemonPod(template, node),
    pods: (byNode.get(node.metadata?.name ?? '') ?? []).toSorted(byAge),
  }));
}

function byAge(a: Pod, b: Pod): number {
  return (instantOf(a.metadata?.creationTimestamp) ?? 0) - (instantOf(b.metadata?.creationTimestamp) ?? 0);
}

/** Pods to delete: finished ones, those on nodes where none may run, and all but the oldest per node. */
function surplusPods({ shouldContinueRunning, shouldRun, pods }: NodeDaemons): readonly Pod[] {
  const staying = pods.filter((pod) => !isTerminating(pod));
  if (!shouldRun && !shouldContinueRunning) return staying;
  const finished = staying.filter(isFinished);
  return [...finished, ...staying.filter((pod) => !isFinished(pod)).slice(1)];
}

/** Outdated pods to replace now: unavailable ones at once, available ones as far as maxUnavailable allows. */
function outdatedPods(set: DaemonSet, { all, hash, now }: DaemonProgress): readonly Pod[] {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return [];
  const wanted = all.filter(({ shouldRun }) => shouldRun);
  const allowed = Math.max(
    1,
    resolveShare(rollingUpdate?.maxUnavailable, { total: wanted.length, rounding: 'up', otherwise: 1 }),
  );
  const isUp = (pod: Pod) => isActive(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const unavailable = wanted.filter(({ pods }) => !pods.some(isUp)).length;
  const old = wanted
    .flatMap(({ pods }) => pods.filter(isActive))
    .filter(({ metadata }) => metadata?.labels?.[revisionLabel] !== hash);
  const broken = old.filter((pod) => !isUp(pod));
  const healthy = old.filter(isUp).slice(0, Math.max(0, allowed - unavailable));
  return [...broken, ...healthy];
}

interface DaemonProgress {
  readonly all: readonly NodeDaemons[];
  readonly hash: string;
  readonly now: Instant;
}

function statusOf(set: DaemonSet, { all, hash, now }: DaemonProgress): DaemonSetStatus {
  const wanted = all.filter(({ shouldRun }) => shouldRun);
  // One pod counts per node, however many there are while an old one terminates.
  const running = wanted.flatMap(({ pods }) => pods.filter((pod) => !isTerminating(pod)).slice(0, 1));
  const available = running.filter((pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now)).length;
  return {
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: running.length,
    numberMisscheduled: all.filter(({ shouldRun, pods }) => !shouldRun && pods.some(isActive)).length,
    numberReady: running.filter(isReady).length,
    updatedNumberScheduled: running.filter(({ metadata }) => metadata?.labels?.[revisionLabel] === hash)
      .length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    observedGeneration: set.metadata?.generation ?? 0,
  };
}
