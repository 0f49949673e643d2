/**
 * Dynamic resource allocation. `allocate` finds devices of an inventory for what claims request, or says why there are
 * none; the rest is the plan's account of who has which: `ClusterDevices` is what never changes while a cluster is
 * planned for, a `DeviceLedger` what one plan gives away, `ClaimedDevices` the view that a class of pods has of it.
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
export { ClusterDevices, type DeviceMeans, type PodClaims } from './cluster-devices.ts';
export type { Device } from './device.ts';
export { type DeviceInventory, templateInventory } from './device-inventory.ts';
export { DeviceLedger, type DeviceScene, type Grant } from './device-ledger.ts';
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
