import type { KubeObject } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';
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
  return readySince(pod) !== undefined;
}

/** When the pod became ready, if it is. */
export function readySince({ status }: Pod): Instant | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  return instantOf(ready.lastTransitionTime) ?? 0;
}

/** Ready for at least so long. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}
