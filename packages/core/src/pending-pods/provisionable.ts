import { isOwnedBy } from '../values/index.ts';
import type { PassedOverCause, PendingPod } from './pending-pod.ts';

/**
 * Why a pod is not provisionable; undefined if it is. As in Karpenter only the kube-scheduler's condition
 * counts: phase and deletion timestamp are ignored.
 */
export function passedOverCause(pod: PendingPod): PassedOverCause | undefined {
  const { metadata, spec, status } = pod;
  if (isPresent(spec.nodeName)) return 'bound';
  if (isPresent(status?.nominatedNodeName)) return 'nominated';
  if (isOwnedBy(metadata, 'apps/v1', 'DaemonSet')) return 'daemon';
  if (isOwnedBy(metadata, 'v1', 'Node')) return 'mirror';
  return isUnschedulable(pod) ? undefined : 'not-unschedulable';
}

/** Whether the kube-scheduler tried to schedule the pod and found no node. */
function isUnschedulable({ status }: PendingPod): boolean {
  return (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
  );
}

function isPresent(name: string | undefined): boolean {
  return name !== undefined && name !== '';
}
