export { awsServices } from './aws-services.ts';
export type { CallObserver, ObservedCall } from './call-observer.ts';
export { discoverRegion } from './region.ts';
