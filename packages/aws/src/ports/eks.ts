import type {
  DescribeAccessEntryCommandInput,
  DescribeAccessEntryCommandOutput,
  DescribeClusterCommandInput,
  DescribeClusterCommandOutput,
} from '@aws-sdk/client-eks';
import type { Call } from './call.ts';

export interface Eks {
  /** For `karpenter preflight`; the policies of the controller do not allow it. */
  describeAccessEntry: Call<DescribeAccessEntryCommandInput, DescribeAccessEntryCommandOutput>;
  describeCluster: Call<DescribeClusterCommandInput, DescribeClusterCommandOutput>;
}
