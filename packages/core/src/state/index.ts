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
export { ClusterState, type ClusterStateOptions } from './cluster-state.ts';
export type { HeldPod, HoldCause } from './demand.ts';
export { evictionCost, rescheduleCost } from './eviction-cost.ts';
export { type LaunchingClaim, podsOnTheirWay } from './launching-claim.ts';
export { movablePods } from './movable-pods.ts';
export { isNominated, type NodeState, type OfferingLabels } from './node-state.ts';
export { letsGo, PodBudgets } from './pod-budgets.ts';
export { type DoNotDisrupt, doNotDisrupt, isProtected } from './pod-protection.ts';
export {
  isActive,
  isDaemon,
  isMirror,
  isReschedulable,
  isTerminal,
  isTerminating,
  type PodState,
  staysThrough,
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
  StateEvent,
} from './state-event.ts';
