export {
  insufficientCapacity,
  isInsufficientCapacity,
  isLaunchFailed,
  isMachineNotFound,
  isNodeClassNotReady,
  type LaunchFailure,
  launchFailed,
  machineNotFound,
  nodeClassNotReady,
} from './cloud-errors.ts';
export type {
  CloudProvider,
  HookOutcome,
  Machine,
  NodeClassKind,
  RegistrationHook,
  RepairPolicy,
} from './cloud-provider.ts';
export { mayBeHad, withDoubtful } from './doubtful-offerings.ts';
export type { InstanceOverhead, InstanceType, Offering } from './instance-type.ts';
export type { Log, LogFields, LogValue } from './log.ts';
export type { Age, Counters, GaugeSeries, Gauges, GaugeValue, Meters } from './meters.ts';
