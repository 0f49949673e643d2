/**
 * The wiring of the provider: builds every part of this package from ports, settings and caches. Building makes no
 * calls; start-up makes the first calls to AWS. Start with `build-provider.ts`; `start-up.ts` has what runs once
 * before the controllers start.
 */

export type {
  AwsProvider,
  AwsProviderOptions,
  ClusterConnection,
  ProviderSettings,
} from './aws-provider.ts';
export { awsProvider } from './build-provider.ts';
export { callMetrics } from './provider-metrics.ts';
export { clusterEndpoint, type EndpointSources } from './start-up.ts';
