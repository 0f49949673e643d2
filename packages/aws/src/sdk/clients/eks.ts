export {
  DescribeAccessEntryCommand,
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  EKSClient as Client,
  ListNodegroupsCommand,
  UpdateNodegroupConfigCommand,
} from '@aws-sdk/client-eks';
