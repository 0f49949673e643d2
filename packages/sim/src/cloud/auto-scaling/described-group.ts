import type { AutoScaling } from '@karpenter/aws/ports';
import type { AutoScalingGroup } from '../world/auto-scaling-group.ts';
import type { Instance } from '../world/instance.ts';
import type { CloudWorld } from '../world/world.ts';

export type GroupInput<Method extends keyof AutoScaling> = Parameters<AutoScaling[Method]>[0];
export type GroupOutput<Method extends keyof AutoScaling> = Awaited<ReturnType<AutoScaling[Method]>>;

type Described = NonNullable<GroupOutput<'describeAutoScalingGroups'>['AutoScalingGroups']>[number];

export function groupArn({ region, accountId }: CloudWorld, name: string): string {
  return `arn:aws:autoscaling:${region}:${accountId}:autoScalingGroup:00000000-0000-0000-0000-000000000000:autoScalingGroupName/${name}`;
}

export function describedGroup(
  group: AutoScalingGroup,
  members: readonly Instance[],
  world: CloudWorld,
): Described {
  const { name, min, max, desired, subnetIds, tags, suspended } = group;
  const zones = new Set(subnetIds.flatMap((id) => world.subnets.get(id)?.zone ?? []));
  return {
    AutoScalingGroupName: name,
    AutoScalingGroupARN: groupArn(world, name),
    MinSize: min,
    MaxSize: max,
    DesiredCapacity: desired,
    DefaultCooldown: 300,
    AvailabilityZones: [...zones],
    HealthCheckType: 'EC2',
    CreatedTime: new Date(group.createdAt),
    VPCZoneIdentifier: subnetIds.join(','),
    TargetGroupARNs: [],
    LoadBalancerNames: [],
    SuspendedProcesses: suspended.map((ProcessName) => ({
      ProcessName,
      SuspensionReason: 'User suspended',
    })),
    Tags: [...tags].map(([Key, Value]) => ({
      Key,
      Value,
      ResourceId: name,
      ResourceType: 'auto-scaling-group',
      PropagateAtLaunch: true,
    })),
    ...launchSource(group, world),
    Instances: members.map((instance) => ({
      InstanceId: instance.id,
      InstanceType: instance.type,
      AvailabilityZone: instance.zone,
      LifecycleState: instance.state === 'pending' ? 'Pending' : 'InService',
      HealthStatus: 'Healthy',
      ProtectedFromScaleIn: false,
    })),
  };
}

/** A template alone, or with overrides and a distribution where the group mixes types or markets. */
function launchSource(
  group: AutoScalingGroup,
  { launchTemplates }: CloudWorld,
): Pick<Described, 'LaunchTemplate' | 'MixedInstancesPolicy'> {
  const { templateId, instanceTypes, onDemandBase, onDemandPercentage } = group;
  const template = {
    LaunchTemplateId: templateId,
    LaunchTemplateName: launchTemplates.get(templateId)?.name,
    Version: '$Default',
  };
  if (instanceTypes.length === 0 && onDemandPercentage === 100) return { LaunchTemplate: template };
  return {
    MixedInstancesPolicy: {
      LaunchTemplate: {
        LaunchTemplateSpecification: template,
        Overrides: instanceTypes.map((InstanceType) => ({ InstanceType })),
      },
      InstancesDistribution: {
        OnDemandBaseCapacity: onDemandBase,
        OnDemandPercentageAboveBaseCapacity: onDemandPercentage,
        OnDemandAllocationStrategy: 'prioritized',
        SpotAllocationStrategy: 'price-capacity-optimized',
      },
    },
  };
}
