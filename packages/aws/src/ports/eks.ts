import type {
  DescribeAccessEntryCommandInput,
  DescribeAccessEntryCommandOutput,
  DescribeClusterCommandInput,
  DescribeClusterCommandOutput,
  DescribeNodegroupCommandInput,
  DescribeNodegroupCommandOutput,
  ListNodegroupsCommandInput,
  ListNodegroupsCommandOutput,
  UpdateNodegroupConfigCommandInput,
} from '@aws-sdk/client-eks';
import type { Call } from './call.ts';

export interface Eks {
  /** For `karpenter preflight`; the policies of the controller do not allow it. */
  describeAccessEntry: Call<DescribeAccessEntryCommandInput, DescribeAccessEntryCommandOutput>;
  describeCluster: Call<DescribeClusterCommandInput, DescribeClusterCommandOutput>;
  /** This and the two below are for `karpenter migrate`; the policies of the controller allow none of them. */
  describeNodegroup: Call<DescribeNodegroupCommandInput, DescribeNodegroupCommandOutput>;
  listNodegroups: Call<ListNodegroupsCommandInput, ListNodegroupsCommandOutput>;
  updateNodegroupConfig: Call<UpdateNodegroupConfigCommandInput, unknown>;
}
