export {
  DescribeAccessEntryCommand,
  DescribeClusterCommand,
  EKSClient as Client,
} from '@aws-sdk/client-eks';
