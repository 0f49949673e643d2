import { isOwnedBy } from '../values/index.ts';
import type { PassedOverCause, PendingPod } from './pending-pod.ts';

/**
 * Why a pod is none of planning's business; absent if it is. Only the kube-scheduler's word counts: phase and
 * deletion are not looked at.
 */
export function passedOverCause(pod: PendingPod): PassedOverCause | undefined {
  const { metadata, spec, status } = pod;
  if (isPresent(spec.nodeName)) return 'bound';
  if (isPresent(status?.nominatedNodeName)) return 'nominated';
  if (isOwnedBy(metadata, 'apps/v1', 'DaemonSet')) return 'daemon';
  if (isOwnedBy(metadata, 'v1', 'Node')) return 'mirror';
  return isUnschedulable(pod) ? undefined : 'not-unschedulable';
}

/** Whether the kube-scheduler has looked for a place and found none. */
export function isUnschedulable({ status }: PendingPod): boolean {
  return (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
  );
}

function isPresent(name: string | undefined): boolean {
  return name !== undefined && name !== '';
}
