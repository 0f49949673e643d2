import type { PodInfo } from '../pods/pod-info.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';

/** Why a pod cannot go to a node, in the scheduler's words. */
export interface Obstacle {
  readonly reasons: readonly string[];
  /** Whether it could go there if other pods left. */
  readonly yieldsToEviction: boolean;
}

export type NodeCheck = (node: NodeInfo) => Obstacle | undefined;

/** The pod can go nowhere, whatever the nodes are like. */
export interface Refusal {
  readonly refusal: string;
}

/**
 * One rule about pods and nodes. It looks at the pod and the cluster once and gives back a check for single
 * nodes: nothing where the rule is not about this pod.
 */
export interface Filter {
  /** As in Kubernetes' configuration of the scheduler. */
  readonly name: string;
  prepare(pod: PodInfo, cluster: ClusterState): NodeCheck | Refusal | undefined;
}

export function lasting(...reasons: readonly string[]): Obstacle {
  return { reasons, yieldsToEviction: false };
}

export function movable(...reasons: readonly string[]): Obstacle {
  return { reasons, yieldsToEviction: true };
}
