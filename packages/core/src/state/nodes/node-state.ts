import type { NodeClaim } from '../../api/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import type { ClusterNode } from '../cluster-object.ts';
import type { PodState } from '../pods/pod-state.ts';

/**
 * A node that exists or has been launched, at one instant. Returned as the same object until something about
 * it changes, so callers may cache by identity.
 */
export interface NodeState {
  /** Provider id; the node name for nodes without one. */
  readonly id: string;
  /** The planner's view of the node. */
  readonly view: NodeView;
  readonly node: ClusterNode | undefined;
  readonly nodeClaim: NodeClaim | undefined;
  /** Sorted by namespace and name. */
  readonly pods: readonly PodState[];
  /** The node has joined the cluster and carries the labels and taints of its NodeClaim. */
  readonly registered: boolean;
  /** The node is ready, with its resources reported and startup taints gone: it can take pods. */
  readonly initialized: boolean;
  /** Marked by a command of this process, or being deleted. */
  readonly markedForDeletion: boolean;
  /**
   * In milliseconds since 1970. Until then pods are expected to be bound and disruption leaves the node
   * alone.
   */
  readonly nominatedUntil: number | undefined;
  /** Number of virtual pods that the last provisioning pass placed on it. */
  readonly bufferPods: number;
  readonly offering: OfferingLabels;
}

/** Identifies the offering of a node, and thereby its price. */
export interface OfferingLabels {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
}

/** Whether pods nominated for the node are still expected. */
export function isNominated({ nominatedUntil }: Pick<NodeState, 'nominatedUntil'>, at: number): boolean {
  return nominatedUntil !== undefined && nominatedUntil > at;
}
