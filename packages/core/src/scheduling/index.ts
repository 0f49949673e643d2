export type {
  DeviceClassView,
  DeviceMeans,
  DevicesView,
  ReadSelector,
  ResourceClaimView,
  ResourceSliceView,
  SelectableDevice,
  SelectorAnswer,
} from './devices/index.ts';
export { type EffectiveZone, effectiveZoneSteps, flexibleZone, noZone } from './effective-zones.ts';
export type {
  ChosenOffering,
  Narrowing,
  NarrowingSource,
  NodeChoice,
  PassedPool,
} from './node-choice.ts';
export { plan, planSteps } from './plan.ts';
export type {
  FailedCheck,
  Placement,
  Plan,
  PlannedNode,
  PlanOptions,
  PlanSignal,
  PoolRejection,
  Rejection,
  ReservedCapacity,
} from './plan-result.ts';
export type {
  PodAffinity,
  PodAffinityTerm,
  PodResourceClaim,
  PodSpecView,
  SpreadConstraint,
  WeightedPodAffinityTerm,
} from './pod-spec.ts';
export { type Removal, Simulation, type SimulationInputs } from './simulation.ts';
export type { BoundPodView, NodeView, PodMetadata, PodView, Snapshot } from './snapshot.ts';
export { isVirtualPod } from './virtual-pod.ts';
export {
  type PersistentVolumeClaimView,
  type PersistentVolumeView,
  type PodVolume,
  Storage,
  type StorageClassView,
  type StorageView,
} from './volumes/storage.ts';
export { driverOf } from './volumes/volume-limits.ts';
