export { branchInterfaces } from './branch-interfaces.ts';
export type * from './instance-type-info.ts';
export { instanceType, instanceTypes } from './instance-types.ts';
export { networkBandwidth } from './network-bandwidth.ts';
export { type NetworkListings, networkListings } from './network-listings.ts';
export { onDemandPrice } from './prices.ts';
export { regions, type Zone, zones, zonesOf } from './zones.ts';
