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
  deviceAllocationPort,
  devicesView,
  gpuClass,
  gpuDriver,
  gpus,
  gpuTemplate,
  readPlainSelector,
  slice,
} from './device-builders.ts';
