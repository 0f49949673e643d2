import { timestampMs } from '@karpenter/core/api';
import {
  type ClusterPod,
  isProtected,
  isReschedulable,
  PodBudgets,
  type PodDisruptionBudget,
} from '@karpenter/core/state';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget as StoredBudget } from 'kubernetes-types/policy/v1.js';
import { isUnsafeToEvict } from '../autoscaler/annotations.ts';
import type { ObservedPod } from './observed-cluster.ts';

/** The pods of the cluster, each with what prevents its eviction. */
export function observedPods(
  pods: readonly Pod[],
  budgets: readonly StoredBudget[],
  now: number,
): readonly ObservedPod[] {
  // Stored objects always have metadata and a spec, which are optional in the API types.
  const known = new PodBudgets(budgets as unknown as readonly PodDisruptionBudget[]);
  const stored = new Map(budgets.map((budget) => [budgetKey(budget), budget]));
  return pods.map((pod) => observedPod(pod, { now, deadlockOf: (each) => deadlockOf(each, known, stored) }));
}

interface PodContext {
  readonly now: number;
  readonly deadlockOf: (pod: ClusterPod) => string | undefined;
}

function observedPod(pod: Pod, { now, deadlockOf }: PodContext): ObservedPod {
  const state = pod as unknown as ClusterPod;
  const { namespace, name } = state.metadata;
  const protection = protectionOf(pod, now);
  const deadlock = deadlockOf(state);
  const scheduled = condition(pod, 'PodScheduled');
  const nodeName = pod.spec?.nodeName;
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    ...(nodeName !== undefined && nodeName !== '' && { nodeName }),
    createdAt: timestampMs(pod.metadata?.creationTimestamp) ?? 0,
    isReady: condition(pod, 'Ready')?.status === 'True',
    isTerminating: pod.metadata?.deletionTimestamp !== undefined,
    isMovable: isReschedulable(state),
    ...(protection !== undefined && { protection }),
    ...(deadlock !== undefined && { deadlock }),
    isKarpenter: pod.metadata?.labels?.['app.kubernetes.io/name'] === 'karpenter',
    ...(scheduled?.message !== undefined && { schedulerMessage: scheduled.message }),
  };
}

function condition(pod: Pod, type: string) {
  return (pod.status?.conditions ?? []).find((each) => each.type === type);
}

function protectionOf(pod: Pod, now: number): string | undefined {
  const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return 'has no controller that would replace it';
  if (isUnsafeToEvict(pod)) return 'is annotated cluster-autoscaler.kubernetes.io/safe-to-evict: "false"';
  return isProtected(pod as unknown as ClusterPod, now)
    ? 'is annotated karpenter.sh/do-not-disrupt'
    : undefined;
}

/** Waiting does not help if a budget allows no disruption although all of its pods are healthy. */
function deadlockOf(
  pod: ClusterPod,
  budgets: PodBudgets,
  stored: ReadonlyMap<string, StoredBudget>,
): string | undefined {
  const protecting = budgets.protecting(pod).flatMap((budget) => {
    const key = `${budget.metadata.namespace}/${budget.metadata.name}`;
    return stored.get(key) ?? [];
  });
  const [budget, another] = protecting;
  if (budget === undefined) return undefined;
  if (another !== undefined)
    return `it has two PodDisruptionBudgets, ${budgetKey(budget)} and ${budgetKey(another)}, with which no eviction succeeds`;
  return budgets.blocks(pod) || isExhausted(budget)
    ? `PodDisruptionBudget ${budgetKey(budget)} allows no eviction although its pods are healthy`
    : undefined;
}

function isExhausted({ status }: StoredBudget): boolean {
  if (status === undefined || status.disruptionsAllowed !== 0) return false;
  const isSettled = Object.keys(status.disruptedPods ?? {}).length === 0;
  return isSettled && status.expectedPods > 0 && status.currentHealthy >= status.expectedPods;
}

function budgetKey({ metadata }: StoredBudget): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}
