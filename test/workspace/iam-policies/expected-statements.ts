/** A statement in short: actions, resource types or ARNs, and conditions as `operator key = values`. */
export interface ExpectedStatement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
}

const ec2 = (...types: readonly string[]) => types.map((type) => `arn:aws:ec2:r1:*:${type}/*`);
const shared = (...types: readonly string[]) => types.map((type) => `arn:aws:ec2:r1::${type}/*`);
const created = ec2(
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'launch-template',
  'spot-instances-request',
);
const profiles = ['arn:aws:iam::42:instance-profile/*'];

const tag = {
  cluster: (source: string) => `StringEquals aws:${source}Tag/kubernetes.io/cluster/c1 = owned`,
  eks: (source: string) => `StringEquals aws:${source}Tag/eks:eks-cluster-name = c1`,
  region: (source: string) => `StringEquals aws:${source}Tag/topology.kubernetes.io/region = r1`,
  nodePool: (source: string) => `StringLike aws:${source}Tag/karpenter.sh/nodepool = *`,
  nodeClass: (source: string) => `StringLike aws:${source}Tag/karpenter.k8s.aws/ec2nodeclass = *`,
};
const ownedNode = [tag.cluster('Resource'), tag.nodePool('Resource')];
const requestedNode = [tag.cluster('Request'), tag.eks('Request'), tag.nodePool('Request')];
const ownedProfile = [tag.cluster('Resource'), tag.region('Resource'), tag.nodeClass('Resource')];
const requestedProfile = [
  tag.cluster('Request'),
  tag.eks('Request'),
  tag.region('Request'),
  tag.nodeClass('Request'),
];

/**
 * What Karpenter's policies allow, by managed policy and Sid, for cluster c1 in region r1 of account 42 in the
 * partition aws. Written by hand, so that a change of the policies in the source shows here.
 */
export const expectedStatements: Readonly<Record<string, Readonly<Record<string, ExpectedStatement>>>> = {
  NodeLifecycle: {
    AllowScopedEC2InstanceAccessActions: {
      actions: ['ec2:RunInstances', 'ec2:CreateFleet'],
      resources: [
        ...shared('image', 'snapshot'),
        ...ec2('security-group', 'subnet', 'capacity-reservation', 'placement-group'),
      ],
      conditions: [],
    },
    AllowScopedEC2LaunchTemplateAccessActions: {
      actions: ['ec2:RunInstances', 'ec2:CreateFleet'],
      resources: ec2('launch-template'),
      conditions: ownedNode,
    },
    AllowScopedEC2InstanceActionsWithTags: {
      actions: ['ec2:RunInstances', 'ec2:CreateFleet', 'ec2:CreateLaunchTemplate'],
      resources: created,
      conditions: requestedNode,
    },
    AllowScopedResourceCreationTagging: {
      actions: ['ec2:CreateTags'],
      resources: created,
      conditions: [
        ...requestedNode,
        'StringEquals ec2:CreateAction = RunInstances, CreateFleet, CreateLaunchTemplate',
      ],
    },
    AllowScopedResourceTagging: {
      actions: ['ec2:CreateTags'],
      resources: ec2('instance'),
      conditions: [
        ...ownedNode,
        'StringEqualsIfExists aws:RequestTag/eks:eks-cluster-name = c1',
        'ForAllValues:StringEquals aws:TagKeys = eks:eks-cluster-name, karpenter.sh/nodeclaim, Name',
      ],
    },
    AllowScopedDeletion: {
      actions: ['ec2:TerminateInstances', 'ec2:DeleteLaunchTemplate'],
      resources: ec2('instance', 'launch-template'),
      conditions: ownedNode,
    },
  },
  IAMIntegration: {
    AllowPassingInstanceRole: {
      actions: ['iam:PassRole'],
      resources: ['arn:aws:iam::42:role/KarpenterNodeRole-c1'],
      conditions: ['StringEquals iam:PassedToService = ec2.amazonaws.com, ec2.amazonaws.com.cn'],
    },
    AllowScopedInstanceProfileCreationActions: {
      actions: ['iam:CreateInstanceProfile'],
      resources: profiles,
      conditions: requestedProfile,
    },
    AllowScopedInstanceProfileTagActions: {
      actions: ['iam:TagInstanceProfile'],
      resources: profiles,
      conditions: [...ownedProfile, ...requestedProfile],
    },
    AllowScopedInstanceProfileActions: {
      actions: [
        'iam:AddRoleToInstanceProfile',
        'iam:RemoveRoleFromInstanceProfile',
        'iam:DeleteInstanceProfile',
      ],
      resources: profiles,
      conditions: ownedProfile,
    },
  },
  EKSIntegration: {
    AllowAPIServerEndpointDiscovery: {
      actions: ['eks:DescribeCluster'],
      resources: ['arn:aws:eks:r1:42:cluster/c1'],
      conditions: [],
    },
  },
  Interruption: {
    AllowInterruptionQueueActions: {
      actions: ['sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
      resources: ['arn:aws:sqs:r1:42:c1'],
      conditions: [],
    },
  },
  ZonalShift: {
    AllowZonalShiftStatusReadOnly: {
      actions: ['arc-zonal-shift:GetManagedResource'],
      resources: ['*'],
      conditions: ['StringEquals arc-zonal-shift:ResourceIdentifier = arn:aws:eks:r1:42:cluster/c1'],
    },
  },
  ResourceDiscovery: {
    AllowRegionalReadActions: {
      actions: [
        'ec2:DescribeCapacityReservations',
        'ec2:DescribeImages',
        'ec2:DescribeInstances',
        'ec2:DescribeInstanceStatus',
        'ec2:DescribeInstanceTypeOfferings',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeLaunchTemplates',
        'ec2:DescribePlacementGroups',
        'ec2:DescribeSecurityGroups',
        'ec2:DescribeSpotPriceHistory',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
      conditions: ['StringEquals aws:RequestedRegion = r1'],
    },
    AllowSSMReadActions: {
      actions: ['ssm:GetParameter'],
      resources: ['arn:aws:ssm:r1::parameter/aws/service/*'],
      conditions: [],
    },
    AllowPricingReadActions: { actions: ['pricing:GetProducts'], resources: ['*'], conditions: [] },
    AllowUnscopedInstanceProfileListAction: {
      actions: ['iam:ListInstanceProfiles'],
      resources: ['*'],
      conditions: [],
    },
    AllowInstanceProfileReadActions: {
      actions: ['iam:GetInstanceProfile'],
      resources: profiles,
      conditions: [],
    },
  },
};
