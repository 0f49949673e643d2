import type { NodeOverlay } from '../api/index.ts';
import type { Snapshot } from '../scheduling/index.ts';
import type { ClusterPod, VolumeAttachment } from './cluster-object.ts';
import type { HeldPod } from './demand.ts';
import type { LaunchingClaim } from './launching-claim.ts';
import type { NodeState } from './node-state.ts';
import type { PodBudgets } from './pod-budgets.ts';
import type { PoolState } from './pool-state.ts';

/**
 * The cluster at one moment. As a `Snapshot` it is what a plan looks at, before pods are judged, lent spread
 * constraints and joined by virtual ones: `pods` are `pendingPods` and `movingPods` together, `nodes` are the
 * views of `nodeStates` and of `launching`. It never changes; what did not change since the last one is the
 * same object in both.
 */
export interface ClusterSnapshot extends Snapshot {
  /** In order of their ids. */
  readonly nodeStates: readonly NodeState[];
  readonly launching: readonly LaunchingClaim[];
  /** Pods that wait for a node, in order of namespace and name. */
  readonly pendingPods: readonly ClusterPod[];
  /** Pods of nodes that are going away, as far as they can move now. */
  readonly movingPods: readonly ClusterPod[];
  /** Pods that need a node and are not among `pods` because of a launch under way. */
  readonly heldPods: readonly HeldPod[];
  /** Every NodePool that exists or still has nodes or NodeClaims, by name. */
  readonly pools: ReadonlyMap<string, PoolState>;
  readonly budgets: PodBudgets;
  readonly nodeOverlays: readonly NodeOverlay[];
  readonly volumeAttachments: readonly VolumeAttachment[];
  /**
   * Changes when anything happened that may make a consolidation possible. Who found none can skip looking
   * until it does, or until enough time has passed.
   */
  readonly consolidationRevision: number;
}
