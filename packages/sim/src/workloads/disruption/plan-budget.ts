import { compileLabelSelector } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import { isFinished, isReady } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';
import { resolveShare } from '../int-or-percent.ts';
import { stamped } from '../object-status.ts';

/** A granted eviction whose pod is still not deleted after this time no longer counts. */
const evictionTimeoutMs = 2 * 60_000;

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus;
  readonly requeueAfterMs?: number;
}

/** The replicas of the workload that owns a pod; undefined if there is no workload with a scale. */
export type ScaleOf = (pod: Pod) => { readonly uid: string; readonly replicas: number } | undefined;

interface BudgetInputs {
  readonly pods: readonly Pod[];
  readonly scaleOf: ScaleOf;
  readonly now: Instant;
}

export function planBudget(budget: PodDisruptionBudget, { pods, scaleOf, now }: BudgetInputs): BudgetPlan {
  const selects = compileLabelSelector(budget.spec?.selector);
  const selected = pods.filter((pod) => !isFinished(pod) && selects(pod.metadata?.labels ?? {}));
  const expected = expectedPods(budget, selected, scaleOf);
  if (expected === undefined) return { status: failedStatus(budget, now) };
  const { disruptedPods, nextAt } = pendingEvictions(budget, selected, now);
  // A granted eviction is counted from the moment it is granted, not when the watch shows the deletion: otherwise two
  // evictions in a row could both see the same healthy pod.
  const healthy = selected.filter(
    (pod) =>
      isReady(pod) &&
      pod.metadata?.deletionTimestamp === undefined &&
      disruptedPods[nameOf(pod)] === undefined,
  ).length;
  const desired = desiredHealthy(budget, expected);
  // A budget that selects no pods allows nothing, so that its first pods are safe until the status is computed again.
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  return {
    status: {
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration: budget.metadata?.generation ?? 0,
      ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
      conditions: [
        {
          ...stamped(budget.status?.conditions, conditionText(allowed), now),
          observedGeneration: budget.metadata?.generation ?? 0,
        },
      ],
    },
    ...(nextAt !== undefined && { requeueAfterMs: nextAt - now }),
  };
}

function nameOf({ metadata }: Pod): string {
  return metadata?.name ?? '';
}

function conditionText(allowed: number) {
  const type = 'DisruptionAllowed';
  return allowed > 0
    ? ({ type, status: 'True', reason: 'SufficientPods', message: '' } as const)
    : ({ type, status: 'False', reason: 'InsufficientPods', message: '' } as const);
}

/**
 * An absolute minAvailable is about the existing pods; every other budget is about the pods that their
 * workloads should have.
 */
function expectedPods(
  { spec }: PodDisruptionBudget,
  selected: readonly Pod[],
  scaleOf: ScaleOf,
): number | undefined {
  if (spec?.maxUnavailable === undefined && typeof spec?.minAvailable === 'number') return selected.length;
  const owners = new Map<string, number>();
  let unowned = 0;
  for (const pod of selected) {
    const scale = scaleOf(pod);
    if (scale !== undefined) owners.set(scale.uid, scale.replicas);
    else if (controllerOf(pod) === undefined) unowned += 1;
    // A controller without a scale: Kubernetes cannot know how many pods there should be, and fails closed.
    else return undefined;
  }
  return [...owners.values()].reduce((sum, replicas) => sum + replicas, unowned);
}

/** Kubernetes rounds both shares up: of 7 pods, maxUnavailable 50% allows 4 to go, minAvailable 50% keeps 4. */
function desiredHealthy({ spec }: PodDisruptionBudget, expected: number): number {
  if (spec?.maxUnavailable !== undefined) {
    return Math.max(
      0,
      expected - resolveShare(spec.maxUnavailable, { total: expected, rounding: 'up', otherwise: 0 }),
    );
  }
  return resolveShare(spec?.minAvailable, { total: expected, rounding: 'up', otherwise: 1 });
}

function pendingEvictions({ status }: PodDisruptionBudget, selected: readonly Pod[], now: Instant) {
  const present = new Map(selected.map((pod) => [nameOf(pod), pod]));
  const disruptedPods: Record<string, string> = {};
  let nextAt: Instant | undefined;
  for (const [name, since] of Object.entries(status?.disruptedPods ?? {})) {
    const pod = present.get(name);
    const end = (instantOf(since) ?? 0) + evictionTimeoutMs;
    if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined || end <= now) continue;
    disruptedPods[name] = since;
    nextAt = Math.min(nextAt ?? end, end);
  }
  return { disruptedPods, nextAt };
}

/** Allows no eviction while the expected number of pods is unknown. */
function failedStatus(budget: PodDisruptionBudget, now: Instant): PodDisruptionBudgetStatus {
  const text = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'SyncFailed',
    message: 'found no controller with a scale for some of the selected pods',
  } as const;
  return {
    currentHealthy: budget.status?.currentHealthy ?? 0,
    desiredHealthy: budget.status?.desiredHealthy ?? 0,
    expectedPods: budget.status?.expectedPods ?? 0,
    disruptionsAllowed: 0,
    observedGeneration: budget.metadata?.generation ?? 0,
    conditions: [
      {
        ...stamped(budget.status?.conditions, text, now),
        observedGeneration: budget.metadata?.generation ?? 0,
      },
    ],
  };
}
