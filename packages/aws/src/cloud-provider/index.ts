export { AwsCloudProvider } from './aws-cloud-provider.ts';
export { ClassLookup } from './class-lookup.ts';
export { ClassTypes } from './class-types.ts';
export { InheritedInstances } from './inherited-instances.ts';
