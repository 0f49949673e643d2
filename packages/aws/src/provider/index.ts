export type {
  AwsProvider,
  AwsProviderOptions,
  ClusterConnection,
  ProviderSettings,
} from './aws-provider.ts';
