/**
 * The InstanceTypeProvider: lists instance types with capacity, labels and offerings for an EC2NodeClass,
 * cached by what they depend on. Calls EC2 only in `refresh`. Start with instance-type-provider.ts.
 */

export { instanceTypesFor } from './class-type.ts';
export { ec2Knowledge } from './ec2-knowledge.ts';
export { InstanceTypeProvider } from './instance-type-provider.ts';
export { offeringSeries, reportOfferings } from './offering-metrics.ts';
