/**
 * Resolves subnets and security groups of an EC2NodeClass, and tracks free addresses of subnets between EC2's
 * reports. Calls DescribeSubnets and DescribeSecurityGroups only. Start with subnet-provider.ts.
 */

export { SecurityGroupProvider, securityGroupFilters } from './security-group-provider.ts';
export { type LeaseRequest, SubnetAddresses, type SubnetLease } from './subnet-addresses.ts';
export { SubnetProvider, type SubnetProviderOptions, subnetFilters } from './subnet-provider.ts';
