import type { KubeObject } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod, PodCondition } from 'kubernetes-types/core/v1.js';
import { instantOf } from './timestamp.ts';

/** Whether the pod has succeeded or failed; it no longer uses resources of its node. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isTerminating({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** Neither finished nor terminating; what workload controllers count as replicas. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod) !== undefined;
}

/** When the pod became ready; undefined if it is not. */
export function readySince(pod: Pod): Instant | undefined {
  const ready = readyCondition(pod);
  return ready && (instantOf(ready.lastTransitionTime) ?? 0);
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  // Without a closure for each call: the controllers of large workloads read every pod whenever one changes.
  for (const condition of status?.conditions ?? [])
    if (condition.type === 'Ready') return condition.status === 'True' ? condition : undefined;
  return undefined;
}

/** Whether the pod has been ready for at least minReadySeconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  if (minReadySeconds === 0) return isReady(pod);
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}
