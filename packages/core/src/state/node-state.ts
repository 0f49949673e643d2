import type { NodeClaim } from '../api/index.ts';
import type { NodeView } from '../scheduling/index.ts';
import type { ClusterNode } from './cluster-object.ts';
import type { PodState } from './pod-state.ts';

/**
 * A node that exists or has been launched, at one moment. The same object is given until something about the
 * node changes, so that whatever is worked out for it can be kept.
 */
export interface NodeState {
  /** The machine's provider id; for nodes without one their name. */
  readonly id: string;
  /** What the planner sees of it. */
  readonly view: NodeView;
  readonly node: ClusterNode | undefined;
  readonly nodeClaim: NodeClaim | undefined;
  /** In order of namespace and name. */
  readonly pods: readonly PodState[];
  /** Has joined the cluster. */
  readonly registered: boolean;
  /** Can take pods. */
  readonly initialized: boolean;
  /** Is going away, by a mark of this process or because it is being deleted. */
  readonly markedForDeletion: boolean;
  /** In milliseconds since 1970; pods are expected until then. */
  readonly nominatedUntil: number | undefined;
  /** How many virtual pods the last pass placed on it. */
  readonly bufferPods: number;
  readonly offering: OfferingLabels;
}

/** What tells the price of a node: which offering it is. */
export interface OfferingLabels {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
}

/** Whether pods that were promised the node are still to come. */
export function isNominated({ nominatedUntil }: Pick<NodeState, 'nominatedUntil'>, at: number): boolean {
  return nominatedUntil !== undefined && nominatedUntil > at;
}
