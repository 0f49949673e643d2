import { terminationTuning, timestampMs } from '../api/index.ts';
import {
  type ClusterPod,
  isDaemon,
  isMirror,
  isTerminal,
  isTerminating,
  toleratesDisruptedTaint,
} from '../state/index.ts';
import { forcedDeletion } from './forced-deletion.ts';

export interface DrainInput {
  /** All pods bound to the node. */
  readonly pods: readonly ClusterPod[];
  readonly at: number;
  /** When the terminationGracePeriod of the NodeClaim ends, if it has one. */
  readonly deadline: number | undefined;
}

/** The progress of a drain. */
export interface Drain {
  /** Number of pods the node still waits for. */
  readonly waiting: number;
  /** Pods to evict now. */
  readonly next: readonly ClusterPod[];
}

const criticalClasses = new Set(['system-cluster-critical', 'system-node-critical']);

/**
 * Evicts pods in four groups, as Karpenter does, so that pods find what they need while they shut down: workloads
 * before DaemonSet pods, and critical ones after all others. A group starts when the one before it is gone. Pods that
 * must be deleted forcefully do not wait for their group.
 */
export function drain({ pods, at, deadline }: DrainInput): Drain {
  const waiting = pods.filter((pod) => isWaitedFor(pod, at));
  const isOverdue = (pod: ClusterPod) => forcedDeletion(pod, deadline, at) !== undefined;
  const overdue = waiting.filter(isOverdue);
  const rest = waiting.filter((pod) => !isOverdue(pod));
  const group = Math.min(...rest.map(groupOf));
  // Terminating pods keep the next group waiting, but need no second eviction.
  const nextGroup = rest.filter((pod) => groupOf(pod) === group && !isTerminating(pod));
  return { waiting: waiting.length, next: [...overdue, ...nextGroup] };
}

/** Whether the node must wait for the pod. */
function isWaitedFor(pod: ClusterPod, at: number): boolean {
  return !isTerminal(pod) && isDrainable(pod, at);
}

/** Whether the drain covers the pod at all. */
export function isDrainable(pod: ClusterPod, at: number): boolean {
  return !toleratesDisruptedTaint(pod) && !isMirror(pod) && !isStuck(pod, at);
}

/**
 * Its deletion is overdue by more than the allowance, so the kubelet is probably gone and nothing will end
 * it.
 */
function isStuck({ metadata }: ClusterPod, at: number): boolean {
  const ending = timestampMs(metadata.deletionTimestamp);
  return ending !== undefined && at - ending > terminationTuning.stuckTerminatingAllowance;
}

function groupOf(pod: ClusterPod): number {
  const isCritical = criticalClasses.has(pod.spec.priorityClassName ?? '');
  return (isCritical ? 2 : 0) + (isDaemon(pod) ? 1 : 0);
}
