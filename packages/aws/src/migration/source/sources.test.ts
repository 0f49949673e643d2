import { describe, expect, it } from 'vitest';
import { FindingList } from '../finding.ts';
import { autoscalerTags, isDiscovered, isOfCluster } from './autoscaler-tags.ts';
import { bootstrapFlags } from './bootstrap-flags.ts';
import type { ManagedGroup } from './described-groups.ts';
import { templateFields } from './launch-template.ts';
import { managedGroup } from './managed-group.ts';
import { marketOf } from './mixed-instances.ts';
import type { SourceGroup } from './source-group.ts';

const prefix = 'k8s.io/cluster-autoscaler';

describe('tags of an Auto Scaling group', () => {
  it('select the group by both tags of auto-discovery', () => {
    const tags = new Map([[`${prefix}/enabled`, '']]);
    expect(isDiscovered(tags, 'prod')).toBe(false);
    expect(isDiscovered(new Map([...tags, [`${prefix}/prod`, '']]), 'prod')).toBe(true);
    expect(isOfCluster(new Map([['kubernetes.io/cluster/other', 'owned']]), 'prod')).toBe(false);
  });

  it('give labels, taints, resources and options', () => {
    const tags = new Map([
      [`${prefix}/node-template/label/team`, 'a'],
      [`${prefix}/node-template/taint/gpu`, 'true:NoSchedule'],
      [`${prefix}/node-template/taint/bare`, ':NoExecute'],
      [`${prefix}/node-template/taint/broken`, 'true'],
      [`${prefix}/node-template/resources/nvidia.com/gpu`, '4'],
      [`${prefix}/node-template/autoscaling-options/scaledownunneededtime`, '1m0s'],
    ]);
    expect(autoscalerTags(tags)).toEqual({
      labels: { team: 'a' },
      taints: [
        { key: 'gpu', value: 'true', effect: 'NoSchedule' },
        { key: 'bare', effect: 'NoExecute' },
      ],
      extendedResources: { 'nvidia.com/gpu': '4' },
      autoscalerOptions: { scaledownunneededtime: '1m0s' },
    });
  });
});

describe('user data of a launch template', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    [
      `/etc/eks/bootstrap.sh prod --kubelet-extra-args '--node-labels=team=a,tier=b --register-with-taints=gpu=true:NoSchedule --max-pods=40'`,
      'AL2',
    ],
    [
      'kind: NodeConfig\napiVersion: node.eks.aws/v1alpha1\nflags:\n - --node-labels=team=a,tier=b\n - --register-with-taints=gpu=true:NoSchedule\nmaxPods: 40',
      'AL2023',
    ],
  ])('gives labels, taints, maxPods and the family', (text, family) => {
    expect(bootstrapFlags(encoded(text))).toEqual({
      family,
      labels: { team: 'a', tier: 'b' },
      taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
      maxPods: 40,
    });
  });

  it('that says nothing gives nothing', () => {
    expect(bootstrapFlags('')).toEqual({ labels: {}, taints: [] });
  });
});

describe('a launch template', () => {
  it('gives what an EC2NodeClass has too and reports the rest', () => {
    const findings = new FindingList('group a');
    const fields = templateFields(
      {
        ImageId: 'ami-1',
        KeyName: 'ssh',
        IamInstanceProfile: { Arn: 'arn:aws:iam::1:instance-profile/nodes' },
        NetworkInterfaces: [{ Groups: ['sg-1'], AssociatePublicIpAddress: false }],
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, VolumeType: 'gp3' } }],
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
        Monitoring: { Enabled: true },
        Placement: { GroupName: 'pg' },
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'cost', Value: 'a' }] }],
      },
      findings,
    );
    expect(fields).toMatchObject({
      imageId: 'ami-1',
      instanceProfile: 'nodes',
      securityGroupIds: ['sg-1'],
      tags: { cost: 'a' },
      nodeClass: {
        associatePublicIPAddress: false,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '50Gi', volumeType: 'gp3' } }],
        metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
        detailedMonitoring: true,
        placementGroupSelector: { name: 'pg' },
      },
    });
    expect(findings.list.map(({ setting }) => setting)).toEqual(['launch template KeyName: ssh']);
  });
});

describe('a mixed instances policy', () => {
  it.each([
    [undefined, false, 100],
    [undefined, true, 0],
    [{}, false, 100],
    [{ OnDemandPercentageAboveBaseCapacity: 0 }, false, 0],
  ])(
    '%j with a template for spot %s gives %d %% on-demand',
    (InstancesDistribution, isSpot, onDemandPercentage) => {
      const group =
        InstancesDistribution === undefined ? {} : { MixedInstancesPolicy: { InstancesDistribution } };
      const described = { ...group, AutoScalingGroupName: 'a', MinSize: 0, MaxSize: 1, DesiredCapacity: 0 };
      const full = described as unknown as Parameters<typeof marketOf>[0];
      expect(marketOf(full, isSpot)).toEqual({ onDemandBase: 0, onDemandPercentage });
    },
  );
});

describe('a managed node group', () => {
  const group: SourceGroup = {
    name: 'eks-workers-1',
    origin: 'Auto Scaling group',
    autoScalingGroup: 'eks-workers-1',
    sizes: { min: 1, desired: 2, max: 3 },
    instanceTypes: [],
    selector: {},
    market: { onDemandBase: 0, onDemandPercentage: 100 },
    labels: {},
    taints: [],
    zones: [],
    subnetIds: [],
    securityGroupIds: [],
    image: { family: 'AL2023', id: 'ami-1' },
    instanceProfile: 'eks-1',
    nodeClass: {},
    tags: {},
    extendedResources: {},
    autoscalerOptions: {},
    findings: [],
  };
  const managed = (nodegroup: ManagedGroup) =>
    managedGroup({ nodegroupName: 'workers', ...nodegroup }, group);

  it('has its own name, role, types and market, and no instance profile', () => {
    const found = managed({
      nodeRole: 'arn:aws:iam::1:role/nodes',
      instanceTypes: ['m5.large'],
      capacityType: 'SPOT',
    });
    expect(found).toMatchObject({
      name: 'workers',
      nodegroup: 'workers',
      role: 'nodes',
      instanceTypes: ['m5.large'],
    });
    expect(found.market.onDemandPercentage).toBe(0);
    expect(found.instanceProfile).toBeUndefined();
  });

  it.each([
    [
      { amiType: 'AL2023_x86_64_STANDARD', releaseVersion: '1.33.0-20250701' },
      { family: 'AL2023', version: 'v20250701' },
    ],
    [{ amiType: 'AL2_x86_64_GPU' }, { family: 'AL2' }],
    [
      { amiType: 'BOTTLEROCKET_ARM_64', releaseVersion: '1.20.3-5d9ac849' },
      { family: 'Bottlerocket', version: 'v1.20.3' },
    ],
    [{ amiType: 'WINDOWS_CORE_2022_x86_64' }, { family: 'Windows2022' }],
    [{ amiType: 'CUSTOM' }, { family: 'Custom', id: 'ami-1' }],
  ] as const)('maps %j to an image', (nodegroup, image) => {
    expect(managed(nodegroup).image).toEqual(image);
  });

  it('maps taints and the size of the disk', () => {
    const found = managed({ diskSize: 50, taints: [{ key: 'gpu', value: 'true', effect: 'NO_SCHEDULE' }] });
    expect(found.taints).toEqual([{ key: 'gpu', value: 'true', effect: 'NoSchedule' }]);
    expect(found.nodeClass.blockDeviceMappings).toMatchObject([
      { deviceName: '/dev/xvda', ebs: { volumeSize: '50Gi' } },
    ]);
  });
});
