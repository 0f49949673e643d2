export type {
  AwsProvider,
  AwsProviderOptions,
  ClusterConnection,
  ProviderSettings,
} from './aws-provider.ts';
export { awsProvider } from './build-provider.ts';
export { callMetrics } from './provider-metrics.ts';
export { clusterEndpoint, type EndpointSources } from './start-up.ts';
