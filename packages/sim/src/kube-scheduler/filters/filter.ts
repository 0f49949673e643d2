import type { PodInfo } from '../pods/pod-info.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';

/** Why a pod does not fit a node, in the words of kube-scheduler. */
export interface Obstacle {
  readonly reasons: readonly string[];
  /** Whether evicting pods could help; kube-scheduler calls the opposite UnschedulableAndUnresolvable. */
  readonly isResolvable: boolean;
}

export type NodeCheck = (node: NodeInfo) => Obstacle | undefined;

/** The pod fits no node, whatever the nodes are like, as when a filter fails in its PreFilter step. */
export interface NodeRefusal {
  readonly refusal: string;
}

/**
 * One filter plugin. `prepare` looks at the pod and the cluster once and returns a check for single nodes;
 * undefined if the plugin does not apply to the pod.
 */
export interface Filter {
  /** The plugin name in the scheduler configuration. */
  readonly name: string;
  prepare(pod: PodInfo, cluster: SchedulerState): NodeCheck | NodeRefusal | undefined;
}

export function unresolvable(...reasons: readonly string[]): Obstacle {
  return { reasons, isResolvable: false };
}

export function resolvable(...reasons: readonly string[]): Obstacle {
  return { reasons, isResolvable: true };
}
