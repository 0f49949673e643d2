import { compileLabelSelector } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import { isFinished, isReady } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';
import { resolveShare } from '../int-or-percent.ts';
import { stamped } from '../object-status.ts';

/** An eviction that was granted but never became a deletion counts no longer after this. */
const evictionTimeoutMs = 2 * 60_000;

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus;
  readonly lookAgainInMs?: number;
}

/** How many pods the owner of a pod wants; undefined where that cannot be known. */
export type ScaleOf = (pod: Pod) => { readonly uid: string; readonly replicas: number } | undefined;

export function planBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  scaleOf: ScaleOf,
  now: Instant,
): BudgetPlan {
  const selects = compileLabelSelector(budget.spec?.selector);
  const meant = pods.filter((pod) => !isFinished(pod) && selects(pod.metadata?.labels ?? {}));
  const expected = expectedPods(budget, meant, scaleOf);
  if (expected === undefined) return { status: failedStatus(budget, now) };
  const { disruptedPods, nextAt } = pendingEvictions(budget, meant, now);
  const healthy = meant.filter(
    (pod) =>
      isReady(pod) &&
      pod.metadata?.deletionTimestamp === undefined &&
      disruptedPods[nameOf(pod)] === undefined,
  ).length;
  const desired = desiredHealthy(budget, expected);
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
    ...(nextAt !== undefined && { lookAgainInMs: nextAt - now }),
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

/** A number of pods that must stay is about the pods there are; everything else about those there should be. */
function expectedPods(
  { spec }: PodDisruptionBudget,
  meant: readonly Pod[],
  scaleOf: ScaleOf,
): number | undefined {
  if (spec?.maxUnavailable === undefined && typeof spec?.minAvailable === 'number') return meant.length;
  const owners = new Map<string, number>();
  let unowned = 0;
  for (const pod of meant) {
    const scale = scaleOf(pod);
    if (scale !== undefined) owners.set(scale.uid, scale.replicas);
    else if (controllerOf(pod) === undefined) unowned += 1;
    else return undefined;
  }
  return [...owners.values()].reduce((sum, replicas) => sum + replicas, unowned);
}

function desiredHealthy({ spec }: PodDisruptionBudget, expected: number): number {
  if (spec?.maxUnavailable !== undefined) {
    return Math.max(0, expected - resolveShare(spec.maxUnavailable, expected, 'up', 0));
  }
  return resolveShare(spec?.minAvailable, expected, 'up', 1);
}

function pendingEvictions({ status }: PodDisruptionBudget, meant: readonly Pod[], now: Instant) {
  const present = new Map(meant.map((pod) => [nameOf(pod), pod]));
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

/** Nothing may be evicted while nobody knows how many pods there should be. */
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
