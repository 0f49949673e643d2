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
export type { InstanceOverhead, InstanceType, Offering } from './instance-type.ts';
