export {
  type AllocationCase,
  allocationFaults,
  type GivenDevice,
  isAllocatable,
} from './allocation-checker.ts';
export {
  allocatedOn,
  claim,
  claimant,
  deviceMeans,
  devicesView,
  gpuClass,
  gpuDriver,
  gpus,
  gpuTemplate,
  readPlainSelector,
  slice,
} from './device-builders.ts';
