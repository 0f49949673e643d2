import type { ClusterPod } from '@karpenter/core/state';
import { type OwnerReference, podRequests, withLimitsAsRequests } from '@karpenter/core/values';
import type { WrittenPod } from '../input/objects.ts';
import { type Origin, withOrigin } from '../input/origin.ts';
import { podShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

export interface InputPodIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Set for pods that a workload of the input would create. */
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A Pod as the API server stores it; the uid is made up from its name where the manifest has none. */
export function storedPod(manifest: NamedManifest): ClusterPod {
  const { name, namespace, object, origin } = manifest;
  const subject = manifestText(manifest);
  const pod = filledPod(readShape<WrittenPod>(podShape, object, { origin, subject }), origin, subject);
  return withIdentity(markedUnschedulable(pod), {
    name,
    namespace,
    uid: pod.metadata?.uid ?? `${namespace}/${name}`,
  });
}

/**
 * The pod with its identity. Spec, labels and status stay the same objects, so that equal pods share them and the
 * planner recognizes their class by identity instead of by deep comparison.
 */
export function withIdentity({ metadata, spec, status }: WrittenPod, identity: InputPodIdentity): ClusterPod {
  const { name, namespace, uid } = identity;
  return {
    // V8 keeps what an object begins with in the object itself. With the identity last, a plan of 50,000 pods took twice
    // as long.
    metadata: Object.assign({ name, namespace, uid }, metadata, identity),
    spec,
    ...(status !== undefined && { status }),
  };
}

const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
const neverScheduled = { conditions: [unschedulable] };

/**
 * Adds the condition PodScheduled=False/Unschedulable, without which provisioning passes a pod over. Pods of manifests
 * that are not applied yet have no condition, because kube-scheduler has not seen them. Bound, gated and terminated
 * pods stay unchanged: they need no node.
 */
export function markedUnschedulable(pod: WrittenPod): WrittenPod {
  const { spec, status } = pod;
  const conditions = status?.conditions ?? [];
  const isBound = (spec.nodeName ?? '') !== '';
  const isGated = (spec.schedulingGates ?? []).length > 0;
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (isBound || isGated || hasEnded || conditions.some(({ type }) => type === 'PodScheduled')) return pod;
  return {
    ...pod,
    status: status === undefined ? neverScheduled : { ...status, conditions: [...conditions, unschedulable] },
  };
}

/** Parses all quantities once, so that the error for a malformed one names its place instead of failing the plan. */
export function checkRequests(pod: WrittenPod, origin: Origin, subject: string): void {
  withOrigin(origin, subject, () => podRequests(pod));
}

/** The pod with limits as defaults for missing requests, as the API server stores it. */
export function filledPod(pod: WrittenPod, origin: Origin, subject: string): WrittenPod {
  const filled = withOrigin(origin, subject, () => withLimitsAsRequests(pod));
  checkRequests(filled, origin, subject);
  return filled;
}
