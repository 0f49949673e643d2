import type { NodeClaim } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { StateKind, StateObjects } from './cluster-object.ts';

/**
 * Everything that can change the state. Events from the API server carry the whole object, not a delta, so
 * applying one twice or out of order is harmless.
 */
export type StateEvent = { [K in StateKind]: ObjectEvent<K> }[StateKind] | Fact;

export type ObjectEvent<K extends StateKind> =
  | { readonly type: 'applied'; readonly kind: K; readonly object: StateObjects[K] }
  | { readonly type: 'deleted'; readonly kind: K; readonly object: StateObjects[K] }
  | ListedEvent<K>;

/** A complete list of one kind. Objects missing from it are removed, except those newer than the list. */
export interface ListedEvent<K extends StateKind> {
  readonly type: 'listed';
  readonly kind: K;
  readonly objects: readonly StateObjects[K][];
  /** resourceVersion of the list, not of an item. Without it every missing object counts as deleted. */
  readonly resourceVersion?: string;
}

/** Keeps nodes for pods that are expected there. */
export interface NodesNominated {
  readonly type: 'nominated';
  readonly nodes: readonly string[];
  readonly until: number;
  /**
   * Uids of the pods, if they are known. The nomination for a pod that waits for a node ends as soon as it is
   * bound to any node. One for a pod that still runs elsewhere ends at `until`: its successor has another uid.
   */
  readonly pods?: readonly string[];
}

/**
 * Facts that only this process knows, because they are not written to the API server. `nodes` are values of
 * `NodeState.id`; `nodeClaims` are names.
 */
export type Fact =
  | LaunchRecorded
  | { readonly type: 'launchForgotten'; readonly nodeClaim: string }
  | PodsExpected
  | NodesNominated
  | { readonly type: 'markedForDeletion'; readonly nodes: readonly string[] }
  | { readonly type: 'unmarkedForDeletion'; readonly nodes: readonly string[] }
  | { readonly type: 'pendingDisruption'; readonly nodeClaims: readonly string[] }
  | { readonly type: 'disruptionDropped'; readonly nodeClaims: readonly string[] }
  | { readonly type: 'nodesReserved'; readonly nodePool: string; readonly count: number }
  | { readonly type: 'nodesReleased'; readonly nodePool: string; readonly count: number }
  | {
      readonly type: 'instanceTypesKnown';
      readonly nodePool: string;
      readonly types: readonly InstanceType[];
    }
  | { readonly type: 'bufferPodsPlaced'; readonly byNode: ReadonlyMap<string, number> }
  | { readonly type: 'podsAcknowledged'; readonly pods: readonly string[]; readonly at: number }
  | {
      readonly type: 'podsDecided';
      readonly decisions: readonly PodSchedulingDecision[];
      readonly at: number;
    };

/**
 * A NodeClaim that this process created or is about to create, and the uids of the pods it is for. Apply it
 * before the watch delivers the claim: a plan made in between would otherwise launch a second node for the
 * pods.
 */
export interface LaunchRecorded {
  readonly type: 'launchRecorded';
  readonly nodeClaim: NodeClaim;
  readonly pods: readonly string[];
}

/**
 * Uids of pods that a provisioning pass placed on a node that is not initialized yet. The state keeps the
 * place for them and leaves them out of later plans until the node can take them.
 */
export interface PodsExpected {
  readonly type: 'podsExpected';
  readonly nodeClaim: string;
  readonly pods: readonly string[];
  /** Uids of upcoming pods whose places they take. */
  readonly insteadOf?: readonly string[];
}

/** The result of one provisioning pass for one pod. */
export interface PodSchedulingDecision {
  readonly uid: string;
  /** The node chosen for the pod; absent when the pass found none. */
  readonly placement?: {
    readonly nodeClaim?: string;
    /** The NodePool's `NodeRegistrationHealthy` condition is True: its nodes are known to register. */
    readonly isPoolHealthy: boolean;
  };
}

/**
 * The facts about launches, nodes and pools that a state needs, besides its objects, to give the same
 * snapshots again. Instance types are left out: a program that loads a saved cluster lists them and applies overlays.
 */
export type ProcessFact = Extract<
  Fact,
  {
    readonly type:
      | 'podsExpected'
      | 'markedForDeletion'
      | 'nominated'
      | 'pendingDisruption'
      | 'nodesReserved'
      | 'bufferPodsPlaced';
  }
>;
