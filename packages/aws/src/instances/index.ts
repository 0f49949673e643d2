/**
 * The EC2 instances of this cluster: found by tags, described, tagged and terminated, and translated to the
 * fields of a NodeClaim. Calls EC2 only: DescribeInstances, TerminateInstances and CreateTags. Start with
 * `instance-provider.ts`; `provider-id.ts` parses provider IDs.
 */

export { claimFieldsOf } from './claim-fields.ts';
export { type Ec2Instance, isTerminating } from './instance.ts';
export { InstanceProvider, type InstanceProviderOptions } from './instance-provider.ts';
export { LaunchesInFlight } from './launches-in-flight.ts';
export { couldBelongTo, orphansOf } from './orphans.ts';
export { instanceIdIn, parseInstanceId, providerIdOf } from './provider-id.ts';
