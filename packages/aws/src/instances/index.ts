export { type ClaimFields, claimFieldsOf } from './claim-fields.ts';
export { type Ec2Instance, type InstanceReservation, instanceFromEc2, isGoing } from './instance.ts';
export { InstanceProvider, type InstanceProviderOptions } from './instance-provider.ts';
export { LaunchesUnderWay } from './launches-under-way.ts';
export { mayBeFor, orphansOf } from './orphans.ts';
export { instanceIdIn, parseInstanceId, providerIdOf } from './provider-id.ts';
