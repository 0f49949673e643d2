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
  /** All that are bound to the node. */
  readonly pods: readonly ClusterPod[];
  readonly at: number;
  /** When the last of them must go, if that is set. */
  readonly deadline: number | undefined;
}

/** How far the draining of a node is. */
export interface Drain {
  /** How many pods the node still waits for. */
  readonly waiting: number;
  /** Those to be evicted now. */
  readonly next: readonly ClusterPod[];
}

const criticalClasses = new Set(['system-cluster-critical', 'system-node-critical']);

/**
 * Pods leave in tiers, so that what others may need while they end is there to the last: workloads before daemons,
 * and critical ones after all others. Pods whose time is up go at once, whatever their tier.
 */
export function drain({ pods, at, deadline }: DrainInput): Drain {
  const waiting = pods.filter((pod) => isWaitedFor(pod, at));
  const isOverdue = (pod: ClusterPod) => forcedDeletion(pod, deadline, at) !== undefined;
  const overdue = waiting.filter(isOverdue);
  const rest = waiting.filter((pod) => !isOverdue(pod));
  const tier = Math.min(...rest.map(tierOf));
  const turn = rest.filter((pod) => tierOf(pod) === tier && !isTerminating(pod));
  return { waiting: waiting.length, next: [...overdue, ...turn] };
}

/** Whether the node must not go before the pod does. */
export function isWaitedFor(pod: ClusterPod, at: number): boolean {
  return !isTerminal(pod) && isDrainable(pod, at);
}

/** Whether draining has anything to do with the pod. */
export function isDrainable(pod: ClusterPod, at: number): boolean {
  return !toleratesDisruptedTaint(pod) && !isMirror(pod) && !isStuck(pod, at);
}

/** Should have ended long ago: its kubelet does not answer. */
function isStuck({ metadata }: ClusterPod, at: number): boolean {
  const ending = timestampMs(metadata.deletionTimestamp);
  return ending !== undefined && at - ending > terminationTuning.stuckTerminatingAllowance;
}

function tierOf(pod: ClusterPod): number {
  const isCritical = criticalClasses.has(pod.spec.priorityClassName ?? '');
  return (isCritical ? 2 : 0) + (isDaemon(pod) ? 1 : 0);
}
