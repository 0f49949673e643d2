/**
 * The ports bound to the AWS SDK, which is loaded when first used: credentials, region, retries, deadlines,
 * metrics of calls and errors as `SdkError`. The only folder here that talks to AWS itself. Start with
 * `aws-services.ts`, then `service-binding.ts`.
 */

export { awsServices } from './aws-services.ts';
export type { CallObserver, ObservedCall } from './call-observer.ts';
export { discoverRegion } from './region.ts';
