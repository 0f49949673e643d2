import { disruptedTaint } from '../../api/index.ts';
import type { BoundPodView } from '../../scheduling/index.ts';
import {
  isOwnedBy,
  podRequests,
  quantityFromInteger,
  type ResourceList,
  tolerates,
  withResource,
} from '../../values/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { keyOf } from '../collections/versioned-objects.ts';
import { SharedRequests } from './shared-requests.ts';

/** A pod that is bound to a node and not terminal. */
export interface PodState {
  /** `namespace/name`. */
  readonly key: string;
  /** The object as the API server has it. */
  readonly pod: ClusterPod;
  readonly view: BoundPodView;
  /** Its resource requests, plus one of the resource `pods`. */
  readonly requests: ResourceList;
  readonly isDaemon: boolean;
  /** Needs another node when this one is removed. */
  readonly isReschedulable: boolean;
}

const onePod = quantityFromInteger(1);

/** Throws if a quantity of the pod is invalid. */
export function podState(pod: ClusterPod, nodeName: string, shared = new SharedRequests()): PodState {
  const { metadata, spec, status } = pod;
  return {
    key: keyOf(pod),
    pod,
    view: status === undefined ? { metadata, spec, nodeName } : { metadata, spec, nodeName, status },
    requests: shared.of(requestsOf(pod)),
    isDaemon: isDaemon(pod),
    isReschedulable: isReschedulable(pod),
  };
}

/** The requests of a pod, plus one of the resource `pods`, which nodes limit too. */
export function requestsOf(pod: ClusterPod): ResourceList {
  const key = requestsKey(pod);
  const known = key && knownRequests.get(key);
  if (known !== undefined) return known;
  const requests = withResource(podRequests(pod), 'pods', onePod);
  if (key !== undefined) knownRequests.set(key, requests);
  return requests;
}

const knownRequests = new WeakMap<object, ResourceList>();

/**
 * The object that alone determines the requests of a pod, for a cache: pods of one owner share it. Undefined if other
 * fields count too, such as init containers or a resize, and if the object is not frozen, so that it may still change.
 */
function requestsKey({ spec, status }: ClusterPod): object | undefined {
  const { containers, initContainers, overhead, resources } = spec;
  const [only, ...others] = containers;
  const isSimple = others.length === 0 && !initContainers && !overhead && !resources;
  const hasAllocated =
    status?.resources ?? status?.containerStatuses?.some(({ resources: allocated }) => allocated);
  return isSimple && !hasAllocated && Object.isFrozen(only?.resources) ? only?.resources : undefined;
}

export function nodeNameOf({ spec }: ClusterPod): string | undefined {
  return spec.nodeName === '' ? undefined : spec.nodeName;
}

/** Succeeded or failed, so it uses no resources of its node. */
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

/** A static pod, created by the kubelet of its node; it cannot be evicted. */
export function isMirror({ metadata }: ClusterPod): boolean {
  return isOwnedBy(metadata, 'v1', 'Node');
}

/** Tolerates the disrupted taint and therefore stays on its node during a drain, as in Karpenter. */
export function toleratesDisruptedTaint({ spec }: ClusterPod): boolean {
  return (spec.tolerations ?? []).some((toleration) => tolerates(toleration, disruptedTaint));
}

/**
 * A StatefulSet creates no replacement until the old pod is gone, so its terminating pods still need a node.
 */
export function isReschedulable(pod: ClusterPod): boolean {
  if (isDaemon(pod) || isMirror(pod) || isTerminal(pod)) return false;
  return !isTerminating(pod) || isOwnedBy(pod.metadata, 'apps/v1', 'StatefulSet');
}
