import { type PassedOverCause, passedOverCause } from '@karpenter/core/pending-pods';
import { filledPod, type PodIdentity } from '../cluster/pod-view.ts';
import { controllerOf, isDaemon, type WrittenPod } from '../input/objects.ts';
import { podShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

export interface ClusterPod {
  readonly pod: WrittenPod;
  readonly identity: PodIdentity;
}

export function clusterPod(manifest: NamedManifest): ClusterPod {
  const { name, namespace, object, origin } = manifest;
  const subject = manifestText(manifest);
  const pod = filledPod(readShape(podShape, object, origin, subject), origin, subject);
  return { pod, identity: { name, namespace, uid: pod.metadata?.uid ?? `${namespace}/${name}` } };
}

/** Pods that have ended take no room. */
export function isActive({ pod }: ClusterPod): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** Pods of a node that is going away look for a place again; those that belong to the node end with it. */
export function isMoving({ pod }: ClusterPod): boolean {
  return !isDaemon(pod) && controllerOf(pod.metadata)?.kind !== 'Node';
}

/**
 * Why a pod without a node is not planned for. A pod that the kube-scheduler has not looked at, such as one
 * that is yet to be applied, is taken to be in need of a node.
 */
export function reasonToPassOver({ pod, identity }: ClusterPod): PassedOverCause | undefined {
  if ((pod.spec.schedulingGates ?? []).length > 0) return 'not-unschedulable';
  const conditions = pod.status?.conditions ?? [];
  const isJudged = conditions.some(({ type }) => type === 'PodScheduled');
  const judged = isJudged ? conditions : [...conditions, { type: 'PodScheduled', reason: 'Unschedulable' }];
  return passedOverCause({
    metadata: { ...pod.metadata, ...identity },
    spec: pod.spec,
    status: { ...pod.status, conditions: judged },
  });
}
