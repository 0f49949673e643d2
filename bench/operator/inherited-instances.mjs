import { instanceAt } from '../large-cluster/instances.mjs';

const imageParameter = (version) =>
  `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/x86_64/standard/recommended/image_id`;

/**
 * Adds running instances to the account as if they had been launched for NodeClaims long ago. They have no
 * kubelets and use no capacity of the pools.
 */
export function inheritInstances({ world, clock }, count) {
  const { cluster, parameters, subnets, securityGroups } = world;
  const subnetsByZone = new Map(
    [...subnets.values()].filter(({ isPublic }) => !isPublic).map((subnet) => [subnet.zone, subnet]),
  );
  const groups = [...securityGroups.values()].filter(({ tags }) => tags.has('karpenter.sh/discovery'));
  const account = {
    imageId: parameters.get(imageParameter(cluster.version)).value,
    clusterName: cluster.name,
    groups: groups.map(({ id }) => id),
    launchedAt: clock.now() - 86_400_000,
  };
  for (let index = 0; index < count; index += 1) {
    const { zone } = instanceAt(index);
    const instance = instanceOf(index, { ...account, subnet: subnetsByZone.get(zone) });
    world.instances.set(instance.id, instance);
  }
  return { imageId: account.imageId };
}

function instanceOf(index, { imageId, clusterName, groups, launchedAt, subnet }) {
  const { id, type, zone, name, nodeName, nodePool } = instanceAt(index);
  return {
    id,
    sequence: index - 1_000_000,
    reservationId: `r-${index}`,
    type,
    imageId,
    architecture: 'x86_64',
    isWindows: false,
    subnetId: subnet.id,
    vpcId: subnet.vpcId,
    zone,
    zoneId: subnet.zoneId,
    capacityType: 'on-demand',
    launchedAt,
    visibleAt: launchedAt,
    interfaces: [
      { id: `eni-${index}`, card: 0, device: 0, type: 'interface', groups, lease: { addresses: [] } },
    ],
    privateIp: nodeName.slice(3).split('.')[0].replaceAll('-', '.'),
    privateDnsName: nodeName,
    disks: [],
    rootDevice: '/dev/xvda',
    userData: '',
    placement: { tenancy: 'default' },
    isMonitored: false,
    clientToken: name,
    tags: new Map([
      ['Name', nodeName],
      ['karpenter.sh/nodepool', nodePool],
      ['karpenter.sh/nodeclaim', name],
      ['karpenter.k8s.aws/ec2nodeclass', 'default'],
      ['eks:eks-cluster-name', clusterName],
      [`kubernetes.io/cluster/${clusterName}`, 'owned'],
    ]),
    health: {},
    events: [],
    state: 'running',
  };
}
