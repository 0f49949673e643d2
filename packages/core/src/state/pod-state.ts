import { disruptedTaint } from '../api/index.ts';
import type { BoundPodView } from '../scheduling/index.ts';
import {
  isOwnedBy,
  podRequests,
  quantityFromInteger,
  type ResourceList,
  tolerates,
  withResource,
} from '../values/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { keyOf } from './versioned-objects.ts';

/** A pod that is bound to a node and has not ended. */
export interface PodState {
  /** `namespace/name`. */
  readonly key: string;
  /** As the API has it. */
  readonly pod: ClusterPod;
  readonly view: BoundPodView;
  /** What it takes of its node, one of `pods` included. */
  readonly requests: ResourceList;
  readonly isDaemon: boolean;
  /** Looks for another place when its node goes away. */
  readonly isReschedulable: boolean;
}

const onePod = quantityFromInteger(1);

/** Throws where a quantity of the pod cannot be read. */
export function podState(pod: ClusterPod, nodeName: string): PodState {
  const { metadata, spec, status } = pod;
  return {
    key: keyOf(pod),
    pod,
    view: status === undefined ? { metadata, spec, nodeName } : { metadata, spec, nodeName, status },
    requests: requestsOf(pod),
    isDaemon: isDaemon(pod),
    isReschedulable: isReschedulable(pod),
  };
}

/** What a pod takes of the node that it is on. */
export function requestsOf(pod: ClusterPod): ResourceList {
  return withResource(podRequests(pod), 'pods', onePod);
}

export function nodeNameOf({ spec }: ClusterPod): string | undefined {
  return spec.nodeName === '' ? undefined : spec.nodeName;
}

/** Ended for good, whatever its node does. */
export function isTerminal({ status }: ClusterPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isTerminating({ metadata }: ClusterPod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isActive(pod: ClusterPod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

export function isDaemon({ metadata }: ClusterPod): boolean {
  return isOwnedBy(metadata, 'apps/v1', 'DaemonSet');
}

/** Made by the kubelet itself, which nobody can evict. */
export function isMirror({ metadata }: ClusterPod): boolean {
  return isOwnedBy(metadata, 'v1', 'Node');
}

/** Stays on its node while that is drained, by its own wish. */
export function staysThrough({ spec }: ClusterPod): boolean {
  return (spec.tolerations ?? []).some((toleration) => tolerates(toleration, disruptedTaint));
}

/** A StatefulSet makes no other pod until the old one is gone, so its terminating pods are looked after too. */
export function isReschedulable(pod: ClusterPod): boolean {
  if (isDaemon(pod) || isMirror(pod) || isTerminal(pod)) return false;
  return !isTerminating(pod) || isOwnedBy(pod.metadata, 'apps/v1', 'StatefulSet');
}
