import type { KubeObject } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod, PodCondition } from 'kubernetes-types/core/v1.js';
import { instantOf } from './timestamp.ts';

/** It has run to its end; it takes nothing of its node any more. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isTerminating({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** Neither finished nor on its way out: what controllers count. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod) !== undefined;
}

/** When the pod became ready, if it is. */
export function readySince(pod: Pod): Instant | undefined {
  const ready = readyCondition(pod);
  return ready && (instantOf(ready.lastTransitionTime) ?? 0);
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'True');
}

/** Ready for at least so long. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  if (minReadySeconds === 0) return isReady(pod);
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}
