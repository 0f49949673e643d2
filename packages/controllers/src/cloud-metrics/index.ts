/**
 * The cloud provider with Karpenter's metrics around it: duration and errors of each call, by method and provider.
 */

export { MeteredCloud } from './metered-cloud.ts';
