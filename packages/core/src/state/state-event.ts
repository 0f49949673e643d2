import type { NodeClaim } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { StateKind, StateObjects } from './cluster-object.ts';

/**
 * All that can happen to the state. What the API server tells is the object as it is, not what changed: saying
 * it twice, or late, does no harm.
 */
export type StateEvent = { [K in StateKind]: ObjectEvent<K> }[StateKind] | Fact;

export type ObjectEvent<K extends StateKind> =
  | { readonly type: 'applied'; readonly kind: K; readonly object: StateObjects[K] }
  | { readonly type: 'deleted'; readonly kind: K; readonly object: StateObjects[K] }
  | ListedEvent<K>;

/** Everything of a kind: what is not in the list is gone, unless it is younger than the list. */
export interface ListedEvent<K extends StateKind> {
  readonly type: 'listed';
  readonly kind: K;
  readonly objects: readonly StateObjects[K][];
  /** Of the list as a whole. */
  readonly resourceVersion?: string;
}

/** What this process knows of itself. Nodes are named by the `id` of their state. */
export type Fact =
  | LaunchRecorded
  | { readonly type: 'launchForgotten'; readonly nodeClaim: string }
  | PodsExpected
  | { readonly type: 'nominated'; readonly nodes: readonly string[]; readonly until: number }
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
  | { readonly type: 'podsJudged'; readonly verdicts: readonly PodJudgement[]; readonly at: number };

/**
 * A NodeClaim that was, or is about to be, created, and the uids of the pods it is for. Said before the watch
 * tells of it, so that no plan in between makes another one for the same pods.
 */
export interface LaunchRecorded {
  readonly type: 'launchRecorded';
  readonly nodeClaim: NodeClaim;
  readonly pods: readonly string[];
}

/** Uids of pods that a pass placed on a node that cannot take them yet. Until it can they are not planned for again. */
export interface PodsExpected {
  readonly type: 'podsExpected';
  readonly nodeClaim: string;
  readonly pods: readonly string[];
}

/** What a pass found for a pod. */
export interface PodJudgement {
  readonly uid: string;
  /** Where it is to go; absent when the pass found no place. */
  readonly placement?: {
    readonly nodeClaim?: string;
    /** Nodes of its NodePool are known to register: `NodeRegistrationHealthy` is True. */
    readonly isPoolHealthy: boolean;
  };
}
