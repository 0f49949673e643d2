/**
 * Dynamic resource allocation (DRA) in plans. `allocate` finds devices of an inventory for the requests of
 * claims, or says why there are none. `ClusterDevices` holds the facts of a cluster, `DeviceLedger` the
 * allocations of one attempt at a plan, `ClaimedDevices` allocates for one class of pods. Start with
 * `allocation.ts`.
 */
export {
  type AllocatedDevice,
  type AllocationFailure,
  type AllocationProblem,
  allocate,
  isFailure,
} from './allocation.ts';
export {
  type ClaimRequests,
  claimRequests,
  type DeviceRequest,
  type RequestAlternative,
} from './claim-requests.ts';
export { ClaimedDevices } from './claimed-devices.ts';
export { ClusterDevices, type DeviceAllocationPort, type PodClaims } from './cluster-devices.ts';
export type { Device } from './device.ts';
export { type DeviceInventory, templateInventory } from './device-inventory.ts';
export { DeviceLedger, type DeviceUsers, type Grant } from './device-ledger.ts';
export {
  DeviceSelectors,
  type ReadSelector,
  type SelectableDevice,
  type SelectorAnswer,
  type SelectorFailure,
} from './device-selector.ts';
export type { DeviceShare } from './device-share.ts';
export { DeviceUsage } from './device-usage.ts';
export { type HostGrant, isRefused, type NewHost } from './host-allocation.ts';
export { driversOf, type HostDevices } from './host-devices.ts';
export type {
  DeviceClassView,
  DevicesView,
  ResourceClaimView,
  ResourceSliceView,
} from './resource-shapes.ts';
