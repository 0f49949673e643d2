/**
 * The planner: where every pending pod goes and which nodes to create. Pure functions of a `Snapshot`. Start
 * with `plan.ts`; `plan-attempt.ts` runs the stages, which are the folders here, in this order: `context` and
 * `instance-types` compile the snapshot, `pods` groups equal pods into classes, `existing-nodes` fills
 * existing nodes, `placement` decides pool and domain (with `topology`, `volumes`, `devices`), `packing` and
 * `limits` divide pods over new nodes, `new-nodes` builds the NodeClaims, `reasons` explains rejections and
 * choices.
 *
 * From `placement` on, an item is the pods of one class that may share any new node of a NodePool (or one shared host
 * with all of its pods), a unit is one of these pods (or that host), and a kind is the offers that the requirements of
 * the pods cannot tell apart. A template is a NodePool compiled for a plan.
 */
export type {
  DeviceAllocationPort,
  DeviceClassView,
  DevicesView,
  ReadSelector,
  ResourceClaimView,
  ResourceSliceView,
  SelectableDevice,
  SelectorAnswer,
} from './devices/index.ts';
export { templateRequirements } from './instance-types/node-template.ts';
export { plan, planSteps } from './plan.ts';
export type {
  FailedCheck,
  Placement,
  Plan,
  PlannedNode,
  PlanOptions,
  PoolRejection,
  Rejection,
  ReservedCapacity,
} from './plan-result.ts';
export type {
  PodAffinityTerm,
  PodSpecView,
} from './pod-spec.ts';
export { effectiveZoneSteps } from './pods/effective-zones.ts';
export {
  isUpcomingPod,
  isUpcomingUid,
  type UpcomingCount,
  type UpcomingOwner,
  upcomingCounts,
  upcomingOwner,
  upcomingUid,
} from './pods/upcoming-pod.ts';
export { isBufferPod, isVirtualPod } from './pods/virtual-pod.ts';
export type {
  ChosenOffering,
  Narrowing,
  PassedPool,
} from './reasons/node-choice.ts';
export { type Removal, type RemovedAmounts, Simulation } from './simulation.ts';
export type { BoundPodView, NodeView, PodMetadata, PodView, Snapshot } from './snapshot.ts';
export {
  type PersistentVolumeClaimView,
  type PersistentVolumeView,
  type PodVolume,
  Storage,
  type StorageClassView,
  type StorageView,
} from './volumes/storage.ts';
export { driverOf } from './volumes/volume-limits.ts';
