/**
 * Interfaces of the core to the outside: the cloud provider and its errors, instance types and offerings,
 * logs and metrics. Types and a few pure helpers only; adapters live in other packages. Start with
 * `cloud-provider.ts` and `instance-type.ts`.
 */

export {
  instanceNotFound,
  insufficientCapacity,
  isInstanceNotFound,
  isInsufficientCapacity,
  isLaunchFailed,
  isNodeClassNotReady,
  launchFailed,
  nodeClassNotReady,
} from './cloud-errors.ts';
export type {
  CloudInstance,
  CloudProvider,
  HookOutcome,
  NodeClassKind,
  RegistrationHook,
  RepairPolicy,
  Termination,
} from './cloud-provider.ts';
export type {
  CapacityRequestPolicy,
  CounterSetView,
  DeviceAttribute,
  DevicePlace,
  DeviceTaint,
  DeviceTemplate,
  DeviceView,
  NodeSelectorView,
} from './device-slice.ts';
export type { CpuBurst, InstanceOverhead, InstanceType, Offering } from './instance-type.ts';
export type { Log, LogFields } from './log.ts';
export type { Age, Counters, GaugeSeries, Gauges, GaugeValue, Meters } from './meters.ts';
export { isAvailableOrSuspect, withSuspects } from './suspect-offerings.ts';
