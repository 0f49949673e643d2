import type { AutoScaling } from '@karpenter/aws/ports';
import { type AccessRequest, resourceTags } from '../access/index.ts';
import type { Gateway } from '../calls/gateway.ts';
import { groupNameTag } from '../world/auto-scaling-group.ts';
import type { CloudWorld } from '../world/world.ts';
import { groupArn } from './described-group.ts';
import type { GroupCalls } from './group-calls.ts';

/** The calls of the port, each behind the gateway, which applies throttling, permissions and faults. */
export function autoScalingService(gateway: Gateway, world: CloudWorld, calls: GroupCalls): AutoScaling {
  const call = (operation: string) => ({
    service: 'Auto Scaling',
    operation,
    family: 'auto-scaling' as const,
    action: `autoscaling:${operation}`,
  });
  const onGroup = (operation: string, name = ''): readonly AccessRequest[] => [
    {
      action: `autoscaling:${operation}`,
      resource: groupArn(world, name),
      context: resourceTags(world.autoScalingGroups.get(name)?.tags ?? new Map()),
    },
  ];
  return {
    describeAutoScalingGroups: gateway.operation(call('DescribeAutoScalingGroups'), (input) =>
      calls.describe(input),
    ),
    updateAutoScalingGroup: gateway.operation(
      call('UpdateAutoScalingGroup'),
      (input) => calls.update(input),
      (input) => onGroup('UpdateAutoScalingGroup', input.AutoScalingGroupName),
    ),
    suspendProcesses: gateway.operation(
      call('SuspendProcesses'),
      (input) => calls.suspend(input),
      (input) => onGroup('SuspendProcesses', input.AutoScalingGroupName),
    ),
    resumeProcesses: gateway.operation(
      call('ResumeProcesses'),
      (input) => calls.resume(input),
      (input) => onGroup('ResumeProcesses', input.AutoScalingGroupName),
    ),
    terminateInstanceInAutoScalingGroup: gateway.operation(
      call('TerminateInstanceInAutoScalingGroup'),
      (input) => calls.terminate(input),
      ({ InstanceId = '' }) =>
        onGroup(
          'TerminateInstanceInAutoScalingGroup',
          world.instances.get(InstanceId)?.tags.get(groupNameTag),
        ),
    ),
  };
}
