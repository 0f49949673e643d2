/**
 * Dynamic resource allocation (DRA) in plans. `allocate` finds devices of an inventory for the requests of
 * claims, or says why there are none. `ClusterDevices` holds the facts of a cluster, `DeviceLedger` the
 * allocations of one attempt at a plan, `ClaimedDevices` allocates for one class of pods. Pure; CEL and time
 * come through `DeviceAllocationPort`. Start with `allocation.ts`.
 */
export {
  allocate,
  isFailure,
} from './allocation.ts';
export { claimRequests } from './claim-requests.ts';
export { ClaimedDevices } from './claimed-devices.ts';
export { ClusterDevices, type DeviceAllocationPort } from './cluster-devices.ts';
export { templateInventory } from './device-inventory.ts';
export { DeviceLedger } from './device-ledger.ts';
export {
  DeviceSelectors,
  type ReadSelector,
  type SelectableDevice,
  type SelectorAnswer,
} from './device-selector.ts';
export { DeviceUsage } from './device-usage.ts';
export { type HostGrant, isRefused, type NewHost } from './host-allocation.ts';
export { driversOf, type HostDevices } from './host-devices.ts';
export type {
  DeviceClassView,
  DevicesView,
  ResourceClaimView,
  ResourceSliceView,
} from './resource-shapes.ts';
