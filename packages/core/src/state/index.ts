/**
 * The cluster state: a reducer that takes watch events and facts (`ClusterState.apply`) and gives immutable
 * snapshots (`ClusterState.snapshot`). It has no clock, makes no API call and depends only on the objects it
 * holds, not on the order in which they arrived. It corresponds to Karpenter's `state.Cluster`. Start with
 * `cluster-state.ts`; `nodes/node-table.ts` joins Nodes, NodeClaims and pods, `pods/demand.ts` decides which
 * pods a plan covers while launches are in flight.
 */

export {
  type ClusterNode,
  type ClusterPod,
  type DaemonSet,
  type PodDisruptionBudget,
  type StateKind,
  type StateObjects,
  stateKinds,
  type VolumeAttachment,
} from './cluster-object.ts';
export type { ClusterSnapshot } from './cluster-snapshot.ts';
export {
  ClusterState,
  type StateContents,
} from './cluster-state.ts';
export { launchingPods } from './launches/launching-claim.ts';
export { isNominated, type NodeState, type OfferingLabels } from './nodes/node-state.ts';
export { rescheduleCost } from './pods/eviction-cost.ts';
export { movablePods } from './pods/movable-pods.ts';
export { allowsUnhealthyEviction, PodBudgets } from './pods/pod-budgets.ts';
export { doNotDisrupt, isProtected } from './pods/pod-protection.ts';
export {
  isActive,
  isDaemon,
  isMirror,
  isReschedulable,
  isTerminal,
  isTerminating,
  type PodState,
  toleratesDisruptedTaint,
} from './pods/pod-state.ts';
export type { PodTimes } from './pods/pod-times.ts';
export { grantedNodes, type PoolState } from './pools/pool-state.ts';
export { ResourceTotal } from './pools/resource-total.ts';
export type {
  Fact,
  PodSchedulingDecision,
  ProcessFact,
  StateEvent,
} from './state-event.ts';
