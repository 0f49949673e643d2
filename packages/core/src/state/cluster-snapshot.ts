import type { NodeOverlay } from '../api/index.ts';
import type { Snapshot } from '../scheduling/index.ts';
import type { ClusterPod, VolumeAttachment } from './cluster-object.ts';
import type { LaunchingClaim } from './launches/launching-claim.ts';
import type { NodeState } from './nodes/node-state.ts';
import type { HeldPod } from './pods/demand.ts';
import type { PodBudgets } from './pods/pod-budgets.ts';
import type { PoolState } from './pools/pool-state.ts';

/**
 * The cluster at one instant, immutable. As a `Snapshot` it is the input of a plan before pods are filtered,
 * given default spread constraints and joined by virtual pods: `pods` is `pendingPods` plus `movingPods`,
 * `nodes` the views of `nodeStates` plus those of `launching`. Objects that did not change since the previous
 * snapshot are the same objects in both.
 */
export interface ClusterSnapshot extends Snapshot {
  /** Sorted by id. */
  readonly nodeStates: readonly NodeState[];
  readonly launching: readonly LaunchingClaim[];
  /** Pods that the kube-scheduler found no node for, sorted by namespace and name. */
  readonly pendingPods: readonly ClusterPod[];
  /** Pods of nodes marked for deletion that can be evicted now and need another node. */
  readonly movingPods: readonly ClusterPod[];
  /** Pods that need a node but are left out of `pods` because a launch in flight covers or affects them. */
  readonly heldPods: readonly HeldPod[];
  /** Every NodePool that exists or still has nodes or NodeClaims, by name. */
  readonly pools: ReadonlyMap<string, PoolState>;
  readonly budgets: PodBudgets;
  readonly nodeOverlays: readonly NodeOverlay[];
  readonly volumeAttachments: readonly VolumeAttachment[];
  /**
   * Changes whenever something happened that may make a consolidation possible. A search that found no
   * command can be skipped until it changes, or until enough time has passed.
   */
  readonly consolidationRevision: number;
}
