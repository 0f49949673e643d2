/**
 * The cloud provider with Karpenter's metrics around it: duration and errors of each call, by method and
 * provider. It calls the cloud provider that it wraps and writes metrics. Start with `metered-cloud.ts`.
 */

export { MeteredCloud } from './metered-cloud.ts';
