export { type AwsCloudOptions, AwsCloudProvider } from './aws-cloud-provider.ts';
export { ClassLookup, type ClassLookupOptions } from './class-lookup.ts';
export { ClassTypes, type ClassTypesOptions, type ResolvedTypes } from './class-types.ts';
export { InheritedInstances } from './inherited-instances.ts';
