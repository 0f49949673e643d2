import type { DescribeClusterCommandInput, DescribeClusterCommandOutput } from '@aws-sdk/client-eks';
import type { Call } from './call.ts';

export interface Eks {
  describeCluster: Call<DescribeClusterCommandInput, DescribeClusterCommandOutput>;
}
