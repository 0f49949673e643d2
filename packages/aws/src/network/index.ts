/**
 * Resolves subnets and security groups of an EC2NodeClass, and tracks free addresses of subnets between EC2's
 * reports. Calls DescribeSubnets and DescribeSecurityGroups only. Start with subnet-provider.ts.
 */

export { SecurityGroupProvider } from './security-group-provider.ts';
export { SubnetAddresses, type SubnetLease } from './subnet-addresses.ts';
export { SubnetProvider } from './subnet-provider.ts';
