/**
 * Builders of DRA objects and an independent checker of device allocations, which shares no code with the
 * allocator.
 */
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
