export { SecurityGroupProvider, securityGroupFilters } from './security-group-provider.ts';
export { type LeaseRequest, SubnetAddresses, type SubnetLease } from './subnet-addresses.ts';
export { SubnetProvider, type SubnetProviderOptions, subnetFilters } from './subnet-provider.ts';
