import type { Eks } from '@karpenter/aws/ports';
import type { GroupCalls } from '../auto-scaling/index.ts';
import type { Gateway } from '../calls/gateway.ts';
import { Refusal } from '../calls/refusal.ts';
import type { Nodegroup } from '../world/auto-scaling-group.ts';
import type { CloudWorld } from '../world/world.ts';

type NodegroupCalls = Pick<Eks, 'describeNodegroup' | 'listNodegroups' | 'updateNodegroupConfig'>;
type Described = NonNullable<Awaited<ReturnType<Eks['describeNodegroup']>>['nodegroup']>;

/** EKS: the managed node groups of the cluster. */
export function nodegroupCalls(gateway: Gateway, world: CloudWorld, groups: GroupCalls): NodegroupCalls {
  const call = (operation: string) => ({
    service: 'EKS',
    operation,
    family: 'eks' as const,
    action: `eks:${operation}`,
  });
  const onNodegroup = (operation: string, name = '') => [
    {
      action: `eks:${operation}`,
      resource: `arn:aws:eks:${world.region}:${world.accountId}:nodegroup/${world.cluster.name}/${name}/0`,
      context: {},
    },
  ];
  return {
    listNodegroups: gateway.operation(
      call('ListNodegroups'),
      ({ clusterName }) => ({ nodegroups: [...inCluster(world, clusterName).keys()] }),
      () => [{ action: 'eks:ListNodegroups', resource: world.cluster.arn, context: {} }],
    ),
    describeNodegroup: gateway.operation(
      call('DescribeNodegroup'),
      ({ clusterName, nodegroupName }) => ({
        nodegroup: described(named(inCluster(world, clusterName), nodegroupName), world),
      }),
      ({ nodegroupName }) => onNodegroup('DescribeNodegroup', nodegroupName),
    ),
    updateNodegroupConfig: gateway.operation(
      call('UpdateNodegroupConfig'),
      ({ clusterName, nodegroupName, scalingConfig = {} }) => {
        const nodegroup = named(inCluster(world, clusterName), nodegroupName);
        const { minSize = nodegroup.min, maxSize = nodegroup.max } = scalingConfig;
        const { desiredSize = nodegroup.desired } = scalingConfig;
        checkSizes({ minSize, maxSize, desiredSize });
        const sizes = { MinSize: minSize, MaxSize: maxSize, DesiredCapacity: desiredSize };
        groups.update({ AutoScalingGroupName: nodegroup.groupName, ...sizes });
        Object.assign(nodegroup, { min: minSize, max: maxSize, desired: desiredSize });
        return { update: { id: nodegroup.name, status: 'InProgress', type: 'ConfigUpdate' } };
      },
      ({ nodegroupName }) => onNodegroup('UpdateNodegroupConfig', nodegroupName),
    ),
  };
}

function inCluster({ cluster, nodegroups }: CloudWorld, name: string | undefined): Map<string, Nodegroup> {
  if (cluster.name === name) return nodegroups;
  throw new Refusal('ResourceNotFoundException', `No cluster found for name: ${name}.`, { statusCode: 404 });
}

function named(nodegroups: ReadonlyMap<string, Nodegroup>, name: string | undefined): Nodegroup {
  const found = nodegroups.get(name ?? '');
  if (found !== undefined) return found;
  throw new Refusal('ResourceNotFoundException', `No node group found for name: ${name}.`, {
    statusCode: 404,
  });
}

/** Unlike Auto Scaling, EKS rejects a maximum of zero. */
function checkSizes(sizes: Readonly<Record<'minSize' | 'maxSize' | 'desiredSize', number>>): void {
  const { minSize, maxSize, desiredSize } = sizes;
  const desired = `desired capacity ${desiredSize} can't be`;
  if (maxSize < 1) throw invalidSize('maxSize must be at least 1');
  if (desiredSize < minSize) throw invalidSize(`${desired} less than minimum size ${minSize}`);
  if (desiredSize > maxSize) throw invalidSize(`${desired} greater than maximum size ${maxSize}`);
}

function invalidSize(problem: string): Refusal {
  return new Refusal('InvalidParameterException', problem);
}

function described(nodegroup: Nodegroup, world: CloudWorld): Described {
  const { name, groupName, labels, taints, diskSizeGiB, releaseVersion } = nodegroup;
  const group = world.autoScalingGroups.get(groupName);
  return {
    clusterName: world.cluster.name,
    nodegroupName: name,
    nodegroupArn: `arn:aws:eks:${world.region}:${world.accountId}:nodegroup/${world.cluster.name}/${name}/0`,
    version: world.cluster.version,
    ...(releaseVersion !== undefined && { releaseVersion }),
    status: 'ACTIVE',
    capacityType: group?.onDemandPercentage === 0 ? 'SPOT' : 'ON_DEMAND',
    scalingConfig: { minSize: nodegroup.min, maxSize: nodegroup.max, desiredSize: nodegroup.desired },
    instanceTypes: [...(group?.instanceTypes ?? [])],
    subnets: [...(group?.subnetIds ?? [])],
    amiType: nodegroup.amiType as Described['amiType'],
    nodeRole: nodegroup.nodeRole,
    labels: { ...labels },
    taints: taints.map((taint) => ({ ...taint })),
    resources: { autoScalingGroups: [{ name: groupName }] },
    ...(diskSizeGiB !== undefined && { diskSize: diskSizeGiB }),
    tags: {},
  };
}
