import type {
  DescribeAutoScalingGroupsCommandInput,
  DescribeAutoScalingGroupsCommandOutput,
  ResumeProcessesCommandInput,
  SuspendProcessesCommandInput,
  TerminateInstanceInAutoScalingGroupCommandInput,
  TerminateInstanceInAutoScalingGroupCommandOutput,
  UpdateAutoScalingGroupCommandInput,
} from '@aws-sdk/client-auto-scaling';
import type { Call } from './call.ts';

/** For `karpenter migrate`; the policies of the controller allow none of it. Describe calls return one page. */
export interface AutoScaling {
  describeAutoScalingGroups: Call<
    DescribeAutoScalingGroupsCommandInput,
    DescribeAutoScalingGroupsCommandOutput
  >;
  resumeProcesses: Call<ResumeProcessesCommandInput, unknown>;
  suspendProcesses: Call<SuspendProcessesCommandInput, unknown>;
  terminateInstanceInAutoScalingGroup: Call<
    TerminateInstanceInAutoScalingGroupCommandInput,
    TerminateInstanceInAutoScalingGroupCommandOutput
  >;
  updateAutoScalingGroup: Call<UpdateAutoScalingGroupCommandInput, unknown>;
}
