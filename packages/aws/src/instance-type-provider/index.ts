export { type ClassType, classTypes, instanceTypesFor, type Workshop } from './class-type.ts';
export { type Ec2Knowledge, ec2Knowledge } from './ec2-knowledge.ts';
export { type InstanceTypeOptions, InstanceTypeProvider } from './instance-type-provider.ts';
export { type OfferingSeries, offeringSeries, reportOfferings } from './offering-metrics.ts';
