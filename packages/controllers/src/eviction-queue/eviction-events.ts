import { annotationKeys, events, formatTimestamp } from '@karpenter/core/api';
import { doNotDisrupt } from '@karpenter/core/state';
import type { ClusterEvent } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { CachedNode, CachedPod } from '../instances/index.ts';

export function evictedEvent(object: CachedPod, reason: string): ClusterEvent {
  return { definition: events.evicted, kind: stateSources.Pod, object, message: `Evicted pod: ${reason}` };
}

export function failedDrainingEvent(object: CachedNode, why: string): ClusterEvent {
  const message = `Failed to drain node, ${why}`;
  return { definition: events.failedDraining, kind: stateSources.Node, object, message };
}

/** Times of a forced deletion: the deadline of the node and grace periods in seconds. */
export interface GrantedTime {
  readonly deadline: string;
  readonly granted: number;
  readonly needed: number | undefined;
}

export function disruptedEvent(object: CachedPod, { deadline, granted, needed }: GrantedTime): ClusterEvent {
  const message =
    `Deleting the pod to accommodate the terminationTime ${deadline} of the node. ` +
    `The pod was granted ${granted} seconds of grace-period of its ${needed} terminationGracePeriodSeconds. ` +
    'This bypasses the PDB of the pod and the do-not-disrupt annotation.';
  return { definition: events.disrupted, kind: stateSources.Pod, object, message };
}

/**
 * Events for a pod whose do-not-disrupt annotation is invalid or a duration: when it elapses, or that it has.
 * A pod with `"true"` gets none here.
 */
export function doNotDisruptEvents(object: CachedPod, at: number): readonly ClusterEvent[] {
  const kind = stateSources.Pod;
  const annotation = doNotDisrupt(object);
  if (annotation.kind === 'invalid') {
    const message = `Invalid ${annotationKeys.doNotDisrupt} annotation: ${annotation.problem}, ignoring annotation`;
    return [{ definition: events.invalidDoNotDisrupt, kind, object, message }];
  }
  if (annotation.kind === 'none' || annotation.until === Number.POSITIVE_INFINITY) return [];
  const time = formatTimestamp(annotation.until);
  const grace = `The ${annotationKeys.doNotDisrupt} grace period`;
  return at < annotation.until
    ? [
        {
          definition: events.doNotDisruptUntil,
          kind,
          object,
          message: `${grace} will elapse at ${time}`,
          parts: { time },
        },
      ]
    : [
        {
          definition: events.doNotDisruptElapsed,
          kind,
          object,
          message: `${grace} has elapsed, pod is now disruptable`,
          parts: { time },
        },
      ];
}
