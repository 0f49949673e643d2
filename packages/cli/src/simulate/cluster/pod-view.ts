import type { BoundPodView, PodMetadata, PodView } from '@karpenter/core/scheduling';
import { type OwnerReference, podRequests, withLimitsAsRequests } from '@karpenter/core/values';
import { defaultNamespace, type WrittenMetadata, type WrittenPod } from '../input/objects.ts';
import { at, type Origin } from '../input/origin.ts';

export interface PodIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Who would have made it, for pods that are yet to be made. */
  readonly ownerReferences?: readonly OwnerReference[];
}

/** The pod with the name it is to have; spec and labels stay the very objects that were read. */
export function podView(pod: WrittenPod, identity: PodIdentity): PodView {
  const { spec, status } = pod;
  return {
    metadata: podMetadata(pod.metadata, identity),
    spec,
    ...(status !== undefined && { status }),
  };
}

export function boundPodView(pod: WrittenPod, identity: PodIdentity, nodeName: string): BoundPodView {
  return { ...podView(pod, identity), nodeName };
}

function podMetadata(written: WrittenMetadata = {}, identity: PodIdentity): PodMetadata {
  const { name, namespace, uid, ownerReferences = written.ownerReferences } = identity;
  const { labels, annotations, creationTimestamp, deletionTimestamp } = written;
  return {
    name,
    namespace,
    uid,
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(ownerReferences !== undefined && { ownerReferences }),
  };
}

export function namespaceOf(metadata: WrittenMetadata | undefined): string {
  return metadata?.namespace ?? defaultNamespace;
}

/** Reads all quantities once, so that a malformed one is told with its place and not in the middle of a plan. */
export function checkRequests(pod: WrittenPod, origin: Origin, subject: string): void {
  at(origin, subject, () => podRequests(pod));
}

/** As the API server stores it: limits stand in for missing requests. */
export function filledPod(pod: WrittenPod, origin: Origin, subject: string): WrittenPod {
  const filled = at(origin, subject, () => withLimitsAsRequests(pod));
  checkRequests(filled, origin, subject);
  return filled;
}
