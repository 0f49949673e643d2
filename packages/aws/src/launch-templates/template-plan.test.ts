import type { NodeClaim } from '@karpenter/core/api';
import { Requirements } from '@karpenter/core/requirements';
import { ec2NodeClass, soldType } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../launchable/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import { type LaunchFacts, planTemplates } from './template-plan.ts';

const arch = (value: string) => [{ key: 'kubernetes.io/arch', operator: 'In', values: [value] }];
const nodeClass: EC2NodeClass = ec2NodeClass({
  spec: {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
  },
  status: {
    securityGroups: [{ id: 'sg-1' }],
    amis: [
      { id: 'ami-new', requirements: arch('amd64') },
      { id: 'ami-old', requirements: arch('amd64') },
      { id: 'ami-arm', requirements: arch('arm64') },
    ],
  },
});

function claim(
  requests: Readonly<Record<string, string>> = {},
  partitions?: string[],
): Pick<NodeClaim, 'metadata' | 'spec'> {
  const key = 'karpenter.k8s.aws/placement-group-partition';
  return {
    metadata: { name: 'c', labels: { team: 'a', 'kubernetes.io/os': 'linux' } },
    spec: {
      requirements: partitions === undefined ? [] : [{ key, operator: 'In', values: partitions }],
      resources: { requests },
      nodeClassRef: { group: 'g', kind: 'k', name: 'n' },
      expireAfter: '720h',
    },
  };
}

const facts: LaunchFacts = {
  nodeClass,
  nodeClaim: claim(),
  cluster: { name: 'dev', endpoint: 'https://dev', cidr: '10.0.0.0/16', dnsIp: '10.0.0.10' },
  region: 'us-east-1',
  reservedCapacity: true,
  tags: {},
  capacityType: 'on-demand',
  tenancy: 'default',
};
const reserved = (id: string, zone: string) => ({
  as: 'reserved' as const,
  zone,
  reservation: { id, free: 1 },
});
const catalogue = catalogueOf([
  soldType('m5.large'),
  soldType('c5.large', { capacity: { 'vpc.amazonaws.com/efa': '2' } }),
  soldType('m5.xlarge', { capacity: { pods: '58' } }),
  soldType('m6g.large', { architecture: 'arm64' }),
  soldType('r5.large', { offerings: [reserved('cr-1', 'zone-a'), reserved('cr-2', 'zone-b')] }),
]);
const plan = (change: Partial<LaunchFacts> = {}) =>
  planTemplates({ ...facts, ...change }, catalogue.types, { catalogue, requirements: Requirements.none });
const grouped = (change?: Partial<LaunchFacts>) =>
  plan(change).map(({ options, types }) => [options.imageId, ...types.map(({ name }) => name)].join(' '));

describe('launch templates for a launch', () => {
  it('are one per AMI and number of pods, with the newest AMI that fits', () => {
    expect(grouped()).toEqual([
      'ami-new m5.large c5.large r5.large',
      'ami-new m5.xlarge',
      'ami-arm m6g.large',
    ]);
  });

  it.each([
    ['not set', {}],
    ['an empty list', { clusterDNS: [] }],
  ])('use the DNS address of the cluster if clusterDNS is %s', (_, kubelet) => {
    const [first] = plan({ nodeClass: { ...nodeClass, spec: { ...nodeClass.spec, kubelet } } });
    expect(first?.options.bootstrap.kubelet?.clusterDNS).toEqual(['10.0.0.10']);
  });

  it('are one per number of EFA interfaces if pods request EFA', () => {
    const planned = plan({ nodeClaim: claim({ 'vpc.amazonaws.com/efa': '1' }) });
    expect(planned.map(({ options, types }) => [options.efaCount, types[0]?.name])).toEqual([
      [0, 'm5.large'],
      [2, 'c5.large'],
      [0, 'm5.xlarge'],
      [0, 'm6g.large'],
    ]);
  });

  it('are one per reservation', () => {
    const planned = plan({ capacityType: 'reserved' });
    expect(planned.map(({ options }) => options.reservations?.target)).toEqual([
      { id: 'cr-1', type: 'default', interruptible: false },
      { id: 'cr-2', type: 'default', interruptible: false },
    ]);
  });

  it('leave reservations out when the gate is off', () => {
    expect(plan({ reservedCapacity: false })[0]?.options.reservations).toBeUndefined();
    expect(plan()[0]?.options.reservations).toEqual({ target: undefined });
  });

  it('contain labels, taints and kubelet settings', () => {
    const { bootstrap } = plan()[0]?.options ?? {};
    expect(bootstrap).toMatchObject({
      kubelet: { maxPods: 29, clusterDNS: ['10.0.0.10'] },
      labels: {
        team: 'a',
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.sh/do-not-sync-taints': 'true',
      },
      taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
      imageVersion: 'latest',
    });
    expect(bootstrap?.labels).not.toHaveProperty('kubernetes.io/os');
  });

  it('use the first partition in string order, and enclaves if requested', () => {
    const change = {
      placementGroupId: 'pg-1',
      nodeClaim: claim({ 'eks.amazonaws.com/nip-slots': '1' }, ['2', '10']),
    };
    expect(plan(change)[0]?.options).toMatchObject({
      placement: { groupId: 'pg-1', partition: '10' },
      enclave: true,
    });
  });

  it.each([
    [{ securityGroups: [] }, 'no security groups are present in the status'],
    [{ amis: [] }, 'no amis exist given constraints'],
    [
      { amis: [{ id: 'ami-9', requirements: arch('riscv64') }] },
      'no instance types satisfy requirements of amis [ami-9]',
    ],
  ])('fail with %j', (status, problem) => {
    const lacking = { ...nodeClass, status: { ...nodeClass.status, ...status } };
    expect(() => plan({ nodeClass: lacking })).toThrow(problem);
  });
});
