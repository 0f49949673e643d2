/**
 * Facts about EC2 instance types without AWS: types, network limits, zones, prices and CPU baselines, from compact
 * tables. Pure, no dependencies. `facts` holds the tables, `notation` parses their cells, `expansion` turns
 * rows into types. Start with instance-types.ts and facts/compute-families.ts.
 */

export { branchInterfaces } from './branch-interfaces.ts';
export { cpuBaseline, surplusCpuPrices } from './cpu-baselines.ts';
export type { InstanceTypeInfo } from './instance-type-info.ts';
export { instanceType, instanceTypes } from './instance-types.ts';
export { networkBandwidth } from './network-bandwidth.ts';
export { hasListedLimits } from './network-listings.ts';
export {
  cataloguePrice,
  currencyOf,
  estimatedSpotPrice,
  onDemandPrice,
  spotShare,
} from './prices.ts';
export { publicAddressPrice, volumePrice } from './volume-prices.ts';
export { regions, type Zone, zones, zonesOf } from './zones.ts';
