import type { AutoScaling } from '../ports/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

export function bindAutoScaling(options: BindingOptions): AutoScaling {
  const groups = new ServiceBinding('Auto Scaling', options, () => import('./clients/auto-scaling.ts'));
  return {
    describeAutoScalingGroups: groups.call(
      'DescribeAutoScalingGroups',
      (sdk) => sdk.DescribeAutoScalingGroupsCommand,
    ),
    resumeProcesses: groups.call('ResumeProcesses', (sdk) => sdk.ResumeProcessesCommand),
    suspendProcesses: groups.call('SuspendProcesses', (sdk) => sdk.SuspendProcessesCommand),
    terminateInstanceInAutoScalingGroup: groups.call(
      'TerminateInstanceInAutoScalingGroup',
      (sdk) => sdk.TerminateInstanceInAutoScalingGroupCommand,
    ),
    updateAutoScalingGroup: groups.call('UpdateAutoScalingGroup', (sdk) => sdk.UpdateAutoScalingGroupCommand),
  };
}
