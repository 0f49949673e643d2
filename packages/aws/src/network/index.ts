export { type LeaseRequest, SubnetAddresses, type SubnetLease } from './subnet-addresses.ts';
