/**
 * The cluster state: a reducer that takes watch events and facts (`ClusterState.apply`) and gives immutable
 * snapshots (`ClusterState.snapshot`). It has no clock, makes no API call and depends only on the objects it
 * holds, not on the order in which they arrived. It plays the part of Karpenter's `state.Cluster`. Start with
 * `cluster-state.ts`; `node-table.ts` joins Nodes, NodeClaims and pods, and `demand.ts` decides which pods a
 * plan covers while launches are in flight.
 */

export {
  type ClusterNode,
  type ClusterPod,
  type CsiNode,
  type DaemonSet,
  type Namespace,
  type PodDisruptionBudget,
  type StateKind,
  type StateObjects,
  stateKinds,
  type VolumeAttachment,
} from './cluster-object.ts';
export type { ClusterSnapshot } from './cluster-snapshot.ts';
export {
  ClusterState,
  type ClusterStateOptions,
  type StateContents,
  type StateList,
} from './cluster-state.ts';
export type { HeldPod, HoldCause } from './demand.ts';
export { evictionCost, rescheduleCost } from './eviction-cost.ts';
export { type LaunchingClaim, podsOnTheirWay } from './launching-claim.ts';
export { movablePods } from './movable-pods.ts';
export { isNominated, type NodeState, type OfferingLabels } from './node-state.ts';
export { allowsUnhealthyEviction, PodBudgets } from './pod-budgets.ts';
export { type DoNotDisrupt, doNotDisrupt, isProtected } from './pod-protection.ts';
export {
  isActive,
  isDaemon,
  isMirror,
  isReschedulable,
  isTerminal,
  isTerminating,
  type PodState,
  toleratesDisruptedTaint,
} from './pod-state.ts';
export type { PodTimes } from './pod-times.ts';
export { grantedNodes, type PoolClaims, type PoolState } from './pool-state.ts';
export type {
  Fact,
  LaunchRecorded,
  ListedEvent,
  ObjectEvent,
  PodJudgement,
  PodsExpected,
  ProcessFact,
  StateEvent,
} from './state-event.ts';
