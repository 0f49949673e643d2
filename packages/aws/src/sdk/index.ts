export { type AwsServicesOptions, awsServices } from './aws-services.ts';
export type { CallObserver, ObservedCall } from './call-observer.ts';
export { discoverRegion, type RegionSources } from './region.ts';
export { SdkError } from './sdk-error.ts';
