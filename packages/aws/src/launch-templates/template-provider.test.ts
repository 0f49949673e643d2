import { minutes, seconds } from '@karpenter/core/api';
import { AwsRefusal, RecordedLogText, recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { launchTemplateName, type TemplateOptions } from './template-options.ts';
import { LaunchTemplateProvider } from './template-provider.ts';
import { createTemplateRequest } from './template-request.ts';

const options: TemplateOptions = {
  region: 'us-east-1',
  nodeClass: 'default',
  family: 'AL2023',
  bootstrap: {
    cluster: { name: 'dev', endpoint: 'https://dev', cidr: '10.0.0.0/16' },
    labels: { a: '1', b: '2' },
    taints: [
      { key: 'x', effect: 'NoSchedule' },
      { key: 'y', effect: 'NoSchedule' },
    ],
  },
  imageId: 'ami-1',
  instanceProfile: 'profile',
  securityGroups: ['sg-1', 'sg-2'],
  tags: { team: 'a' },
  blockDeviceMappings: [],
  detailedMonitoring: false,
  efaCount: 0,
  enclave: false,
  capacityType: 'on-demand',
  tenancy: 'default',
};

describe('the name of a launch template', () => {
  const name = launchTemplateName(options);

  it('does not depend on the order of its content', () => {
    const { labels, taints } = options.bootstrap;
    const reordered: TemplateOptions = {
      ...options,
      securityGroups: options.securityGroups.toReversed(),
      bootstrap: {
        ...options.bootstrap,
        labels: Object.fromEntries(Object.entries(labels).reverse()),
        taints: taints.toReversed(),
      },
    };
    expect(launchTemplateName(reordered)).toBe(name);
    expect(launchTemplateName({ ...options, dnsIp: undefined })).toBe(name);
    expect(name).toMatch(/^karpenter\.k8s\.aws\/\d+$/);
  });

  it.each<Partial<TemplateOptions>>([
    { nodeClass: 'other' },
    { dnsIp: '10.0.0.10' },
    { imageId: 'ami-2' },
    { instanceProfile: 'p' },
    { securityGroups: ['sg-1'] },
    { tags: {} },
    { bootstrap: { ...options.bootstrap, labels: { a: '2', b: '1' } } },
    { detailedMonitoring: true },
    { associatePublicIp: false },
    { ipPrefixCount: 0 },
    { efaCount: 1 },
    { enclave: true },
    { capacityType: 'spot' },
    { tenancy: 'dedicated' },
    { reservations: {} },
    { placement: { groupId: 'pg-1' } },
    { connectionTracking: { udpTimeout: 30 } },
    { cpuOptions: { nestedVirtualization: 'enabled' } },
  ])('changes with %j', (change) => {
    expect(launchTemplateName({ ...options, ...change })).not.toBe(name);
  });
});

describe('the content of a launch template', () => {
  const data = (change: Partial<TemplateOptions>) =>
    createTemplateRequest({ ...options, ...change }).LaunchTemplateData;

  it('has an EFA interface per card when pods request EFA', () => {
    expect(data({ efaCount: 2 })?.NetworkInterfaces).toEqual([
      { NetworkCardIndex: 0, DeviceIndex: 0, InterfaceType: 'efa', Groups: ['sg-1', 'sg-2'] },
      { NetworkCardIndex: 1, DeviceIndex: 1, InterfaceType: 'efa', Groups: ['sg-1', 'sg-2'] },
    ]);
  });

  it('prefers the interfaces of the class', () => {
    const networkInterfaces = [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' as const }];
    expect(data({ efaCount: 2, networkInterfaces })?.NetworkInterfaces).toHaveLength(1);
    expect(data({ efaCount: 0, networkInterfaces: [] })?.NetworkInterfaces).toEqual([
      { DeviceIndex: 0, Groups: ['sg-1', 'sg-2'] },
    ]);
  });

  it('has IPv6 addresses when the DNS service has one', () => {
    expect(data({ dnsIp: 'fd00::a', ipPrefixCount: 2 })?.NetworkInterfaces?.[0]).toEqual({
      DeviceIndex: 0,
      Groups: ['sg-1', 'sg-2'],
      PrimaryIpv6: true,
      Ipv6AddressCount: 1,
      Ipv6PrefixCount: 2,
    });
    expect(data({ dnsIp: 'fd00::a' })?.MetadataOptions).toEqual({
      HttpEndpoint: 'disabled',
      HttpProtocolIpv6: 'enabled',
      HttpPutResponseHopLimit: 2,
      HttpTokens: 'required',
      InstanceMetadataTags: 'disabled',
    });
  });

  it('omits IPv6 metadata in regions without it', () => {
    expect(data({ region: 'us-iso-east-1' })?.MetadataOptions).not.toHaveProperty('HttpProtocolIpv6');
  });

  it.each([
    [undefined, undefined, undefined],
    [{}, { CapacityReservationPreference: 'none' }, undefined],
    [
      { target: { id: 'cr-1', type: 'default', interruptible: false } },
      {
        CapacityReservationPreference: 'capacity-reservations-only',
        CapacityReservationTarget: { CapacityReservationId: 'cr-1' },
      },
      undefined,
    ],
    [
      { target: { id: 'cr-1', type: 'capacity-block', interruptible: false } },
      expect.anything(),
      'capacity-block',
    ],
    [
      { target: { id: 'cr-1', type: 'default', interruptible: true } },
      expect.anything(),
      'interruptible-capacity-reservation',
    ],
  ] as const)('uses reservations %j', (reservations, specification, market) => {
    const made = data({ reservations });
    expect(made?.CapacityReservationSpecification).toEqual(specification);
    expect(made?.InstanceMarketOptions?.MarketType).toBe(market);
  });

  it('sets the placement group and partition', () => {
    expect(data({ placement: { groupId: 'pg-1', partition: '3' } })?.Placement).toEqual({
      Tenancy: 'default',
      GroupId: 'pg-1',
      PartitionNumber: 3,
    });
  });
});

describe('the launch template provider', () => {
  let clock: VirtualClock;
  let existing: Set<string>;
  let log: RecordedLogText;
  const names = (set: Iterable<string>) => [...set].map((LaunchTemplateName) => ({ LaunchTemplateName }));

  beforeEach(() => {
    clock = new VirtualClock();
    existing = new Set();
    log = new RecordedLogText();
  });

  function provider() {
    const calls: string[] = [];
    const made = new LaunchTemplateProvider({
      clock,
      log,
      clusterName: 'dev',
      ec2: {
        describeLaunchTemplates: async ({ LaunchTemplateNames: asked }) => {
          calls.push('describe');
          if (asked === undefined) return { LaunchTemplates: names(existing) };
          if (!asked.every((name) => existing.has(name))) {
            throw new AwsRefusal('InvalidLaunchTemplateName.NotFoundException');
          }
          return { LaunchTemplates: names(asked) };
        },
        createLaunchTemplate: async ({ LaunchTemplateName: name = '' }) => {
          calls.push('create');
          existing.add(name);
          return {};
        },
        deleteLaunchTemplate: recordedCall(({ LaunchTemplateName: name = '' }) => {
          calls.push('delete');
          existing.delete(name);
        }),
      },
    });
    return { made, calls };
  }

  it('creates a template once for concurrent callers', async () => {
    const { made, calls } = provider();
    await Promise.all([made.ensure(options), made.ensure(options)]);
    await made.ensure(options);
    expect(calls).toEqual(['describe', 'create']);
  });

  it('finds an existing template', async () => {
    const { made, calls } = provider();
    existing.add(launchTemplateName(options));
    await made.ensure(options);
    expect(calls).toEqual(['describe']);
  });

  it('deletes a template unused for a minute and keeps a used one', async () => {
    const { made } = provider();
    await made.ensure(options);
    await clock.advance(seconds(50));
    await made.ensure(options);
    await clock.advance(seconds(50));
    await made.sweep();
    expect(existing.size).toBe(1);
    await clock.advance(seconds(10));
    await made.sweep();
    expect(existing.size).toBe(0);
    expect(log.lines).toContain('debug deleted launch template');
  });

  it('deletes the templates of an earlier leader in its periodic sweep', async () => {
    const { made } = provider();
    existing.add('karpenter.k8s.aws/1');
    await made.hydrate();
    const stop = new AbortController();
    const running = made.run(stop.signal);
    await clock.advance(minutes(1));
    stop.abort();
    await running;
    expect(existing.size).toBe(0);
  });

  it('creates a template again after invalidation', async () => {
    const { made, calls } = provider();
    const name = await made.ensure(options);
    existing.delete(name);
    made.invalidate(name);
    await made.ensure(options);
    expect(calls).toEqual(['describe', 'create', 'describe', 'create']);
  });

  it('logs user data that is close to the size limit', async () => {
    const { made } = provider();
    const customUserData = `#!/bin/sh\n${'x'.repeat(15_000)}`;
    await made.ensure({ ...options, bootstrap: { ...options.bootstrap, customUserData } });
    expect(log.lines).toContain('info rendered user data is approaching the EC2 user data size limit');
  });
});
