/**
 * The CloudProvider port of core, implemented on AWS: launch, get, list, terminate, instance types and drift. It calls
 * the folders beside it and has no state except caches. Start with `aws-cloud-provider.ts`, then `drift.ts`.
 */

export { AwsCloudProvider } from './aws-cloud-provider.ts';
export { ClassLookup } from './class-lookup.ts';
export { ClassTypes } from './class-types.ts';
export { InheritedInstances } from './inherited-instances.ts';
