export {
  AutoScalingClient as Client,
  DescribeAutoScalingGroupsCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
