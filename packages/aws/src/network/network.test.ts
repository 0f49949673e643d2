import { minutes } from '@karpenter/core/api';
import { Requirements } from '@karpenter/core/requirements';
import { durationMs } from '@karpenter/core/values';
import { ec2NodeClass, recordedCall, soldType } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogueOf } from '../launchable/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import { SecurityGroupProvider, securityGroupFilters } from './security-group-provider.ts';
import { SubnetAddresses } from './subnet-addresses.ts';
import { SubnetProvider, subnetFilters } from './subnet-provider.ts';

const nodeClass = (generation = 1): EC2NodeClass =>
  ec2NodeClass({
    metadata: { name: 'default', uid: 'u', generation },
    spec: {
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ name: 'nodes' }],
    },
  });

describe('selectors', () => {
  it('send one request for all ids and one per set of tags; an id wins over tags', () => {
    expect(
      subnetFilters([
        { id: 'subnet-1', tags: { x: 'y' } },
        { id: 'subnet-2' },
        { tags: { a: '*', b: 'c' } },
        { tags: { d: 'e' } },
      ]),
    ).toEqual([
      [{ Name: 'subnet-id', Values: ['subnet-1', 'subnet-2'] }],
      [
        { Name: 'tag-key', Values: ['a'] },
        { Name: 'tag:b', Values: ['c'] },
      ],
      [{ Name: 'tag:d', Values: ['e'] }],
    ]);
  });

  it('of security groups use the id, then the name, then the tags', () => {
    expect(
      securityGroupFilters([
        { id: 'sg-1', name: 'x' },
        { name: 'y', tags: { a: 'b' } },
        { tags: { c: 'd' } },
      ]),
    ).toEqual([
      [{ Name: 'group-id', Values: ['sg-1'] }],
      [{ Name: 'group-name', Values: ['y'] }],
      [{ Name: 'tag:c', Values: ['d'] }],
    ]);
  });
});

describe('the subnet provider', () => {
  it('lists subnets by free addresses over all pages, and refreshes after the interval or a change', async () => {
    const clock = new VirtualClock();
    const pages = [
      {
        Subnets: [{ SubnetId: 'subnet-b', AvailabilityZone: 'z', AvailableIpAddressCount: 5 }],
        NextToken: 'more',
      },
      { Subnets: [], NextToken: 'more' },
      {
        Subnets: [
          { SubnetId: 'subnet-a', AvailabilityZone: 'z', AvailableIpAddressCount: 5 },
          {
            SubnetId: 'subnet-c',
            AvailabilityZone: 'z',
            AvailabilityZoneId: 'az1',
            AvailableIpAddressCount: 9,
          },
        ],
      },
    ];
    const describeSubnets = recordedCall((_: unknown, count) => pages[(count - 1) % 3] ?? {});
    const provider = new SubnetProvider({ ec2: { describeSubnets }, clock, refreshInterval: minutes(1) });
    const { found } = await provider.resolve(nodeClass());
    expect(found).toEqual([
      { id: 'subnet-c', zone: 'z', zoneID: 'az1' },
      { id: 'subnet-a', zone: 'z' },
      { id: 'subnet-b', zone: 'z' },
    ]);
    await provider.resolve(nodeClass());
    expect(describeSubnets.inputs).toHaveLength(3);
    await provider.resolve(nodeClass(2));
    expect(describeSubnets.inputs).toHaveLength(6);
    await clock.advance(minutes(1));
    await provider.resolve(nodeClass());
    expect(describeSubnets.inputs).toHaveLength(9);
  });

  it('reports why there are none', async () => {
    const ec2 = { describeSubnets: async () => ({}) };
    const provider = new SubnetProvider({ ec2, clock: new VirtualClock(), refreshInterval: minutes(1) });
    expect(await provider.resolve(nodeClass())).toEqual({
      failure: { reason: 'SubnetsNotFound', message: 'SubnetSelector did not match any Subnets' },
    });
  });
});

describe('the security group provider', () => {
  it('lists groups sorted by id without duplicates', async () => {
    const groups = ['sg-2', 'sg-1', 'sg-2'].map((GroupId) => ({ GroupId, GroupName: 'nodes' }));
    const ec2 = { describeSecurityGroups: async () => ({ SecurityGroups: groups }) };
    const { found } = await new SecurityGroupProvider({ ec2, clock: new VirtualClock() }).resolve(
      nodeClass(),
    );
    expect(found).toEqual([
      { id: 'sg-1', name: 'nodes' },
      { id: 'sg-2', name: 'nodes' },
    ]);
  });
});

describe('addresses of subnets', () => {
  const subnets = [
    { id: 'a1', zone: 'zone-a' },
    { id: 'a2', zone: 'zone-a' },
    { id: 'b1', zone: 'zone-b' },
  ];
  const catalogue = catalogueOf([soldType('m5.large'), soldType('m5.xlarge', { capacity: { pods: '58' } })]);
  const request = {
    subnets,
    types: catalogue.types,
    capacityType: 'on-demand' as const,
    required: { catalogue, requirements: Requirements.none },
  };
  let addresses: SubnetAddresses;

  beforeEach(() => {
    addresses = new SubnetAddresses(new VirtualClock(), durationMs(300_000));
    for (const [id, free] of Object.entries({ a1: 100, a2: 90, b1: 10 })) addresses.read(id, free);
  });

  it('decide the subnet of a zone, including pending launches', () => {
    const chosen = () => addresses.lease(request).byZone.get('zone-a')?.id;
    expect([chosen(), chosen(), chosen()]).toEqual(['a1', 'a2', 'a1']);
  });

  it('are released in subnets that the launch did not use', () => {
    const lease = addresses.lease(request);
    expect([addresses.free('a1'), addresses.free('b1')]).toEqual([71, 10]);
    lease.settle(new Set());
    expect(addresses.free('a1')).toBe(100);
  });

  it('are not released after EC2 has reported again', () => {
    const lease = addresses.lease(request);
    addresses.read('a1', 80);
    lease.settle(new Set());
    expect(addresses.free('a1')).toBe(80);
  });

  it('are zero after exhaustion until EC2 reports again', () => {
    addresses.markExhausted('a1');
    expect(addresses.lease(request).byZone.get('zone-a')?.id).toBe('a2');
    addresses.read('a1', 100);
    expect(addresses.lease(request).byZone.get('zone-a')?.id).toBe('a1');
  });
});
