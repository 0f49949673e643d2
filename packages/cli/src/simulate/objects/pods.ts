import type { ClusterPod } from '@karpenter/core/state';
import { type OwnerReference, podRequests, withLimitsAsRequests } from '@karpenter/core/values';
import type { WrittenPod } from '../input/objects.ts';
import { at, type Origin } from '../input/origin.ts';
import { podShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

export interface PodIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** The owner of a pod that its controller has not created yet. */
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A Pod as the API server stores it. */
export function storedPod(manifest: NamedManifest): ClusterPod {
  const { name, namespace, object, origin } = manifest;
  const subject = manifestText(manifest);
  const pod = filledPod(readShape<WrittenPod>(podShape, object, origin, subject), origin, subject);
  return withIdentity(waiting(pod), { name, namespace, uid: pod.metadata?.uid ?? `${namespace}/${name}` });
}

/** The pod under its own name; spec, labels and status stay the objects that were read, so that equal pods share them. */
export function withIdentity({ metadata, spec, status }: WrittenPod, identity: PodIdentity): ClusterPod {
  return { metadata: { ...metadata, ...identity }, spec, ...(status !== undefined && { status }) };
}

const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
const neverScheduled = { conditions: [unschedulable] };

/**
 * Only the kube-scheduler's verdict makes a pod one to plan for. A pod that it has not looked at, such as one of a
 * manifest that is not applied yet, counts as unschedulable. Gated pods wait for somebody else, ended ones for nothing.
 */
export function waiting(pod: WrittenPod): WrittenPod {
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

/** Reads all quantities once, so that a malformed one is reported with its place and not in the middle of a plan. */
export function checkRequests(pod: WrittenPod, origin: Origin, subject: string): void {
  at(origin, subject, () => podRequests(pod));
}

/** As the API server stores a pod: limits stand in for missing requests. */
export function filledPod(pod: WrittenPod, origin: Origin, subject: string): WrittenPod {
  const filled = at(origin, subject, () => withLimitsAsRequests(pod));
  checkRequests(filled, origin, subject);
  return filled;
}
