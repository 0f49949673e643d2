/**
 * Builders of DRA objects and an independent checker of device allocations, which shares no code with the
 * allocator. Pure. Start with `allocation-checker.ts` and `device-builders.ts`.
 */
export {
  allocationFaults,
  isAllocatable,
} from './allocation-checker.ts';
export {
  allocatedOn,
  claim,
  claimant,
  deviceAllocationPort,
  devicesView,
  gpuDriver,
  gpus,
  gpuTemplate,
  readPlainSelector,
  slice,
} from './device-builders.ts';
