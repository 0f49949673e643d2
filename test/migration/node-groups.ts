import type { AwsServices } from '@karpenter/aws/ports';
import type { SimulatedCloud } from '@karpenter/sim/cloud';

/** A node group of the simulated cluster. */
export interface TestGroup {
  readonly name: string;
  readonly types: readonly string[];
  readonly isSpot?: boolean;
  readonly isManaged?: boolean;
  readonly zones: number;
  readonly sizes: { readonly min: number; readonly max: number; readonly desired: number };
  readonly labels?: Readonly<Record<string, string>>;
  readonly taint?: { readonly key: string; readonly value: string };
}

/** Spot, GPU, tainted, static, and one in two zones that EKS manages. */
export const fiveGroups: readonly TestGroup[] = [
  {
    name: 'batch',
    types: ['c5.large'],
    zones: 1,
    sizes: { min: 0, max: 4, desired: 2 },
    labels: { team: 'batch' },
    taint: { key: 'dedicated', value: 'batch' },
  },
  { name: 'general', types: ['m5.large'], isManaged: true, zones: 2, sizes: { min: 1, max: 8, desired: 4 } },
  {
    name: 'gpu',
    types: ['g4dn.xlarge'],
    zones: 2,
    sizes: { min: 0, max: 2, desired: 1 },
    taint: { key: 'nvidia.com/gpu', value: 'true' },
  },
  {
    name: 'spot',
    types: ['m5.large', 'm5a.large'],
    isSpot: true,
    zones: 2,
    sizes: { min: 0, max: 6, desired: 2 },
    labels: { lifecycle: 'spot' },
  },
  {
    name: 'steady',
    types: ['m5.large'],
    zones: 2,
    sizes: { min: 2, max: 2, desired: 2 },
    labels: { role: 'steady' },
  },
];

const profile = 'group-nodes';

/** Creates launch templates and Auto Scaling groups as eksctl would, and lets them launch. */
export async function createGroups(
  cloud: SimulatedCloud,
  services: AwsServices,
  groups: readonly TestGroup[],
): Promise<void> {
  const { cluster } = cloud.world;
  const role = `KarpenterNodeRole-${cluster.name}`;
  await services.iam.createInstanceProfile({ InstanceProfileName: profile });
  await services.iam.addRoleToInstanceProfile({ InstanceProfileName: profile, RoleName: role });
  for (const group of groups) await createGroup(cloud, services, group);
}

async function createGroup(cloud: SimulatedCloud, services: AwsServices, group: TestGroup): Promise<void> {
  const { name, types, isSpot = false, isManaged = false, sizes, labels = {}, taint } = group;
  const { world } = cloud;
  const subnets = [...world.subnets.values()].filter(({ isPublic }) => !isPublic).slice(0, group.zones);
  const { LaunchTemplate } = await services.ec2.createLaunchTemplate({
    LaunchTemplateName: `eksctl-${name}`,
    LaunchTemplateData: {
      ImageId: await imageId(cloud, services),
      InstanceType: 'm5.large',
      SecurityGroupIds: [...world.securityGroups.values()].slice(0, 2).map(({ id }) => id),
      IamInstanceProfile: { Name: profile },
      UserData: userData(cloud, group),
    },
  });
  const tags = new Map([
    [`kubernetes.io/cluster/${world.cluster.name}`, 'owned'],
    ['k8s.io/cluster-autoscaler/enabled', 'true'],
    [`k8s.io/cluster-autoscaler/${world.cluster.name}`, 'owned'],
    ...Object.entries(labels).map(([key, value]): [string, string] => [
      `k8s.io/cluster-autoscaler/node-template/label/${key}`,
      value,
    ]),
  ]);
  const asg = isManaged ? `eks-${name}-1234` : name;
  cloud.addAutoScalingGroup({
    name: asg,
    templateId: LaunchTemplate?.LaunchTemplateId ?? '',
    subnetIds: subnets.map(({ id }) => id),
    instanceTypes: types,
    onDemandBase: 0,
    onDemandPercentage: isSpot ? 0 : 100,
    tags,
    ...sizes,
  });
  if (!isManaged) return;
  const taints = taint === undefined ? [] : [{ ...taint, effect: 'NO_SCHEDULE' as const }];
  const nodeRole = `arn:aws:iam::${world.accountId}:role/KarpenterNodeRole-${world.cluster.name}`;
  cloud.addNodegroup({
    name,
    groupName: asg,
    nodeRole,
    amiType: 'AL2023_x86_64_STANDARD',
    labels,
    taints,
    ...sizes,
  });
}

async function imageId({ world }: SimulatedCloud, { ssm }: AwsServices): Promise<string> {
  const Name = `/aws/service/eks/optimized-ami/${world.cluster.version}/amazon-linux-2023/x86_64/standard/recommended/image_id`;
  return (await ssm.getParameter({ Name })).Parameter?.Value ?? '';
}

function userData({ world }: SimulatedCloud, { name, labels = {}, taint }: TestGroup): string {
  const { cluster } = world;
  const allLabels = { 'alpha.eksctl.io/nodegroup-name': name, ...labels };
  const nodeLabels = Object.entries(allLabels).map(([key, value]) => `${key}=${value}`);
  const taints = taint === undefined ? [] : [`--register-with-taints=${taint.key}=${taint.value}:NoSchedule`];
  const text = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: ${cluster.name}
    apiServerEndpoint: ${cluster.endpoint}
    certificateAuthority: ${cluster.certificateAuthority}
    cidr: ${cluster.serviceIpv4Cidr}
  kubelet:
    flags:
${[`--node-labels=${nodeLabels.join(',')}`, ...taints].map((flag) => `      - ${flag}`).join('\n')}
`;
  return Buffer.from(text).toString('base64');
}
