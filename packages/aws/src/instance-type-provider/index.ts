/**
 * The InstanceTypeProvider: lists instance types with capacity, labels and offerings for an EC2NodeClass,
 * cached by what they depend on. Calls EC2 only in `refresh`. Start with instance-type-provider.ts.
 */

export { type ClassType, classTypes, instanceTypesFor, type TypeInputs } from './class-type.ts';
export { type Ec2Knowledge, ec2Knowledge } from './ec2-knowledge.ts';
export { type InstanceTypeOptions, InstanceTypeProvider } from './instance-type-provider.ts';
export { type OfferingSeries, offeringSeries, reportOfferings } from './offering-metrics.ts';
