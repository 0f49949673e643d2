import { describe, expect, it } from 'vitest';
import { readEksctlFile } from './eksctl-file.ts';

const header =
  'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: prod, region: us-west-2 }\n';

function group(fields: string, list = 'nodeGroups') {
  const body = fields
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  const [found] = readEksctlFile('cluster.yaml', `${header}${list}:\n  - name: a\n${body}\n`).groups;
  if (found === undefined) throw new Error('there is no group');
  return found;
}

const verdicts = (fields: string) =>
  group(fields).findings.map(({ setting, verdict }) => `${setting} ${verdict}`);

describe('an eksctl file', () => {
  it('gives self-managed and managed groups', () => {
    const { clusterName, groups } = readEksctlFile(
      'f',
      `${header}nodeGroups: [{ name: a }]\nmanagedNodeGroups: [{ name: b }]\n`,
    );
    expect([clusterName, groups.map(({ name }) => name)]).toEqual(['prod', ['a', 'b']]);
  });

  it.each([
    ['instanceType: m5.large', { instanceTypes: ['m5.large'] }],
    ['instanceTypes: [m5.large, c5.large]', { instanceTypes: ['m5.large', 'c5.large'] }],
    [
      'instanceSelector: { vCPUs: 4, memory: 16GiB, gpus: 1, cpuArchitecture: arm64 }',
      { selector: { vcpus: 4, memoryMiB: 16_384, gpus: 1, architecture: 'arm64' } },
    ],
    ['spot: true', { market: { onDemandBase: 0, onDemandPercentage: 0 } }],
    [
      'instancesDistribution: { instanceTypes: [m5.large], onDemandBaseCapacity: 1, onDemandPercentageAboveBaseCapacity: 50 }',
      { instanceTypes: ['m5.large'], market: { onDemandBase: 1, onDemandPercentage: 50 } },
    ],
    ['minSize: 1\nmaxSize: 9\ndesiredCapacity: 3', { sizes: { min: 1, desired: 3, max: 9 } }],
    ['labels: { team: a, tier: 1 }', { labels: { team: 'a', tier: '1' } }],
    [
      'taints: [{ key: gpu, value: "true", effect: NoSchedule }]',
      { taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }] },
    ],
    ['taints: { gpu: "true:NoExecute" }', { taints: [{ key: 'gpu', value: 'true', effect: 'NoExecute' }] }],
    [
      'availabilityZones: [us-west-2a]\nsubnets: [subnet-1]',
      { zones: ['us-west-2a'], subnetIds: ['subnet-1'] },
    ],
    ['amiFamily: Bottlerocket', { image: { family: 'Bottlerocket' } }],
    ['amiFamily: AmazonLinux2\nami: ami-1', { image: { family: 'AL2', id: 'ami-1' } }],
    ['iam: { instanceRoleARN: "arn:aws:iam::1:role/path/nodes" }', { role: 'nodes' }],
    ['iam: { instanceProfileARN: "arn:aws:iam::1:instance-profile/nodes" }', { instanceProfile: 'nodes' }],
    ['securityGroups: { attachIDs: [sg-1] }', { securityGroupIds: ['sg-1'] }],
    ['tags: { cost: a }', { tags: { cost: 'a' } }],
  ])('maps %s', (fields, expected) => {
    expect(group(fields)).toMatchObject(expected);
  });

  it.each([
    [
      'volumeSize: 50\nvolumeType: io2\nvolumeIOPS: 3000\nvolumeEncrypted: true',
      {
        blockDeviceMappings: [
          {
            deviceName: '/dev/xvda',
            ebs: { volumeSize: '50Gi', volumeType: 'io2', iops: 3000, encrypted: true },
          },
        ],
      },
    ],
    [
      'amiFamily: Bottlerocket\nvolumeSize: 50',
      { blockDeviceMappings: [{ deviceName: '/dev/xvdb', ebs: { volumeSize: '50Gi' } }] },
    ],
    [
      'additionalVolumes: [{ volumeName: /dev/xvdz, volumeSize: 10 }]',
      { blockDeviceMappings: [{ deviceName: '/dev/xvdz', ebs: { volumeSize: '10Gi' } }] },
    ],
    ['preBootstrapCommands: [echo hello]', { userData: '#!/bin/bash\nset -o errexit\necho hello\n' }],
    [
      'amiFamily: Bottlerocket\nbottlerocket: { settings: { motd: hello } }',
      { userData: expect.stringContaining("motd = 'hello'") },
    ],
    [
      'kubeletExtraConfig: { kubeReserved: { cpu: 300m }, podsPerCore: 10 }',
      { kubelet: { kubeReserved: { cpu: '300m' }, podsPerCore: 10 } },
    ],
    ['maxPodsPerNode: 40', { kubelet: { maxPods: 40 } }],
    ['disableIMDSv1: true', { metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } }],
    ['disableIMDSv1: false', { metadataOptions: { httpTokens: 'optional' } }],
    ['disablePodIMDS: true', { metadataOptions: { httpPutResponseHopLimit: 1 } }],
    [
      'capacityReservation: { capacityReservationTarget: { capacityReservationID: cr-1 } }',
      { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    ],
    ['placement: { groupName: pg }', { placementGroupSelector: { name: 'pg' } }],
    ['enableDetailedMonitoring: true', { detailedMonitoring: true }],
    ['privateNetworking: true', { associatePublicIPAddress: false }],
    [
      'instanceType: p4d.24xlarge\nefaEnabled: true',
      {
        networkInterfaces: [0, 0, 1, 2, 3].map((networkCardIndex, index) => ({
          networkCardIndex,
          deviceIndex: index === 0 ? 0 : 1,
        })),
      },
    ],
  ])('maps %s to the node class', (fields, expected) => {
    expect(group(fields).nodeClass).toMatchObject(expected);
  });

  it.each([
    ['ssh: { allow: true }', 'ssh unmapped'],
    ['launchTemplate: { id: lt-1 }', 'launchTemplate unmapped'],
    ['targetGroupARNs: [arn]', 'targetGroupARNs unmapped'],
    ['overrideBootstrapCommand: x', 'overrideBootstrapCommand unmapped'],
    ['kubeletExtraConfig: { featureGates: { A: true } }', 'kubeletExtraConfig.featureGates unmapped'],
    ['iam: { withAddonPolicies: { ebs: true } }', 'iam.withAddonPolicies unmapped'],
    ['instancesDistribution: { maxPrice: 1 }', 'instancesDistribution.maxPrice unmapped'],
    ['amiFamily: Ubuntu2204', 'amiFamily: Ubuntu2204 approximate'],
    ['notAField: 1', 'notAField unmapped'],
  ])('reports %s', (fields, expected) => {
    expect(verdicts(fields)).toContain(expected);
  });

  it.each([
    ['a: [', 'malformed-file', /^f is not YAML: /],
    ['['.repeat(100_000), 'malformed-file', /^f is not YAML: it is nested too deeply$/],
    ['a: *b', 'malformed-file', /^f is not YAML: .*alias.*b$/],
    [
      '',
      'unknown-kind',
      /^f holds no ClusterConfig of eksctl\.io; give the file that eksctl made the cluster from$/,
    ],
    ['kind: Deployment', 'unknown-kind', /ClusterConfig/],
    ['[1, 2]', 'unknown-kind', /ClusterConfig/],
    ['apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig', 'invalid-object', /metadata\.name is missing/],
    [`${header}nodeGroups: 1`, 'invalid-object', /nodeGroups is not a list/],
    [`${header}nodeGroups: [1]`, 'invalid-object', /nodeGroups\[0\] is not an object/],
    [`${header}nodeGroups: [{}]`, 'invalid-object', /nodeGroups\[0\] has no name/],
    [
      `${header}nodeGroups: [{ name: a, minSize: -1 }]`,
      'invalid-object',
      /nodeGroups\[0\]\.minSize is not a whole number of at least 0; correct it/,
    ],
    [`${header}nodeGroups: [{ name: a, minSize: two }]`, 'invalid-object', /minSize is not a whole number/],
    [`${header}nodeGroups: [{ name: a, labels: [1] }]`, 'invalid-object', /labels is not an object of texts/],
    [`${header}nodeGroups: [{ name: a, iam: 1 }]`, 'invalid-object', /iam is not an object/],
    [`${header}nodeGroups: [{ name: a, spot: maybe }]`, 'invalid-object', /spot is not true or false/],
    [`${header}nodeGroups: [{ name: a }, { name: a }]`, 'invalid-object', /two groups are named a/],
    [`${header}---\n${header}`, 'invalid-object', /several ClusterConfigs/],
  ])('%j is refused with %s', (text, code, message) => {
    expect(() => readEksctlFile('f', text)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
