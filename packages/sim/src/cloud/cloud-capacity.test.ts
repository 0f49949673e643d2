import { Account } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CloudOptions, createCloud, type SimulatedCloud } from './cloud.ts';
import { noFaults } from './faults/faults.ts';
import type { CapacityReservation } from './world/capacity-reservation.ts';

function start(options: Partial<CloudOptions> = {}) {
  const clock = new VirtualClock();
  const cloud = createCloud({ clock, seed: 7, clusterName: 'prod', ...options });
  const account = new Account(
    {
      services: cloud.services,
      clusterName: 'prod',
      region: 'us-west-2',
      version: '1.36',
      settle: (milliseconds) => clock.advance(milliseconds),
    },
    'test',
  );
  return { clock, cloud, account };
}

const launched = (fleet: Awaited<ReturnType<Account['fleet']>>) =>
  (fleet.Instances ?? []).flatMap(({ InstanceIds }) => InstanceIds ?? []);
const codes = (fleet: Awaited<ReturnType<Account['fleet']>>) =>
  (fleet.Errors ?? []).map(({ ErrorCode }) => ErrorCode);

function reserve(
  cloud: SimulatedCloud,
  more: Partial<CapacityReservation['facts']> = {},
): CapacityReservation {
  return cloud.addReservation({
    id: 'cr-1',
    ownerId: cloud.world.accountId,
    type: 'm5.large',
    zone: 'us-west-2a',
    zoneId: 'usw2-az2',
    total: 1,
    matchCriteria: 'targeted',
    reservationType: 'default',
    isInterruptible: false,
    createdAt: cloud.clock.now(),
    tags: new Map(),
    ...more,
  });
}

async function launchReserved(account: Account): Promise<string> {
  const template = await account.template({
    CapacityReservationSpecification: {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: 'cr-1' },
    },
  });
  const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: await inZoneA(account) }];
  const [id = ''] = await account.running({ template, overrides });
  return id;
}

const inZoneA = async (account: Account) =>
  (await account.subnets()).find(({ AvailabilityZone }) => AvailabilityZone === 'us-west-2a')?.SubnetId;

describe('zones of equal price', () => {
  /** One subnet of each zone. */
  const overridesIn = async (account: Account) => {
    const subnets = new Map((await account.subnets()).map((each) => [each.AvailabilityZone, each]));
    return [...subnets.values()].map(({ SubnetId }) => ({ InstanceType: 'm5.large' as const, SubnetId }));
  };
  const zonesOf = (cloud: SimulatedCloud) => {
    const counts: Record<string, number> = {};
    for (const { zone } of cloud.world.instances.values()) counts[zone] = (counts[zone] ?? 0) + 1;
    return counts;
  };

  it('share the on-demand instances of a fleet evenly', async () => {
    const { cloud, account } = start();
    await account.fleet({ count: 9, overrides: await overridesIn(account) });
    expect(zonesOf(cloud)).toEqual({ 'us-west-2a': 3, 'us-west-2b': 3, 'us-west-2c': 3 });
  });

  it('share the instances of many fleets of one', async () => {
    const { cloud, account } = start();
    const overrides = await overridesIn(account);
    for (let count = 0; count < 30; count += 1) await account.fleet({ overrides });
    expect(Object.keys(zonesOf(cloud))).toHaveLength(3);
    expect(Math.min(...Object.values(zonesOf(cloud)))).toBeGreaterThan(3);
  });

  it('take what another zone lacks, and its refusal is reported once', async () => {
    const { cloud, account } = start();
    cloud.refillPool({ type: 'm5.large', zone: 'us-west-2b', capacityType: 'on-demand' }, 1);
    const fleet = await account.fleet({ count: 9, overrides: await overridesIn(account) });
    expect(launched(fleet)).toHaveLength(9);
    expect(zonesOf(cloud)['us-west-2b']).toBe(1);
    expect(new Set(codes(fleet))).toEqual(new Set(['InsufficientInstanceCapacity']));
  });
});

describe('capacity', () => {
  it('runs out, and the fleet launches what it can', async () => {
    const { cloud, account } = start();
    const { AvailabilityZone = '' } = await account.subnet();
    cloud.refillPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'on-demand' }, 2);
    const fleet = await account.fleet({ count: 5 });
    expect(launched(fleet)).toHaveLength(2);
    expect(codes(fleet)).toEqual(['InsufficientInstanceCapacity']);
  });

  it('falls back from a drained pool to the next cheapest', async () => {
    const { cloud, account } = start();
    const { AvailabilityZone = '', SubnetId } = await account.subnet();
    cloud.drainPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'on-demand' });
    const overrides = (['m5.large', 'm5.xlarge'] as const).map((InstanceType) => ({
      InstanceType,
      SubnetId,
    }));
    const fleet = await account.fleet({ overrides });
    expect(fleet.Instances?.[0]?.InstanceType).toBe('m5.xlarge');
    expect(codes(fleet)).toEqual(['InsufficientInstanceCapacity']);
    cloud.refillPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'on-demand' });
    expect((await account.fleet({ overrides })).Instances?.[0]?.InstanceType).toBe('m5.large');
  });

  it('uses different messages for spot and on-demand', async () => {
    const { account } = start({
      faults: { capacity: [{ types: '*', zones: '*', capacityTypes: '*', depth: 0 }] },
    });
    const [spot] = (await account.fleet({ market: 'spot' })).Errors ?? [];
    const [onDemand] = (await account.fleet()).Errors ?? [];
    expect(spot?.ErrorMessage).toBe('There is no Spot capacity available that matches your request.');
    expect(onDemand?.ErrorMessage).toContain('We currently do not have sufficient m5.large capacity');
  });

  it('is free again only when the instance is terminated', async () => {
    const { cloud, account, clock } = start();
    const { AvailabilityZone = '' } = await account.subnet();
    cloud.refillPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'on-demand' }, 1);
    const [id = ''] = await account.running();
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    expect(launched(await account.fleet())).toEqual([]);
    await clock.advance(31_000);
    expect(launched(await account.fleet())).toHaveLength(1);
  });

  it('changes over time', () => {
    const { cloud, clock } = start();
    const pool = { type: 'm5.large', zone: 'us-west-2a', capacityType: 'spot' } as const;
    const before = cloud.pools.depth(pool);
    return clock.advance(3_600_000).then(() => expect(cloud.pools.depth(pool)).not.toBe(before));
  });

  it.each([
    ['on-demand', 'VcpuLimitExceeded', { onDemandVcpus: 4 }],
    ['spot', 'MaxSpotInstanceCountExceeded', { spotVcpus: 4 }],
  ] as const)('of %s is limited by the vCPU quota: %s', async (market, code, quotas) => {
    const { account } = start({ faults: { quotas: { ...noFaults.quotas, ...quotas } } });
    const fleet = await account.fleet({ market, count: 3 });
    expect(launched(fleet)).toHaveLength(2);
    expect(codes(fleet)).toEqual([code]);
  });

  it('is refused beyond the fleet quota', async () => {
    const { account } = start({ faults: { quotas: { ...noFaults.quotas, fleets: 1 } } });
    await account.fleet();
    expect(codes(await account.fleet())).toEqual(['MaxFleetCountExceeded']);
  });

  it('of spot needs the service-linked role', async () => {
    const { account } = start({ faults: { spot: { ...noFaults.spot, serviceLinkedRole: 'missing' } } });
    expect(codes(await account.fleet({ market: 'spot' }))).toEqual([
      'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
    ]);
  });

  it('is refused when the subnet has no addresses left', async () => {
    const { account } = start({ world: { subnetPrefix: 28 } });
    const subnets = await account.subnets();
    const SubnetId = subnets.find(({ CidrBlock }) => CidrBlock?.endsWith('/28'))?.SubnetId;
    const fleet = await account.fleet({ count: 20, overrides: [{ InstanceType: 'm5.large', SubnetId }] });
    expect(launched(fleet)).toHaveLength(11);
    expect(codes(fleet)).toEqual(['InsufficientFreeAddressesInSubnet']);
  });

  it('is limited to seven instances per zone in a spread placement group', async () => {
    const { cloud, account } = start();
    cloud.world.placementGroups.set('pg-1', {
      id: 'pg-1',
      name: 'spread',
      strategy: 'spread',
      tags: new Map(),
    });
    const template = await account.template({ Placement: { GroupId: 'pg-1' } });
    const fleet = await account.fleet({ template, count: 9 });
    expect(launched(fleet)).toHaveLength(7);
    expect(fleet.Errors?.[0]?.ErrorMessage).toContain('limit of instances in this spread placement group');
  });

  it('comes from the targeted reservation until it is full', async () => {
    const { cloud, account } = start();
    const reservation = reserve(cloud);
    const SubnetId = await inZoneA(account);
    const template = await account.template({
      CapacityReservationSpecification: {
        CapacityReservationPreference: 'capacity-reservations-only',
        CapacityReservationTarget: { CapacityReservationId: 'cr-1' },
      },
    });
    const fleet = await account.fleet({
      template,
      count: 2,
      overrides: [{ InstanceType: 'm5.large', SubnetId }],
    });
    const [id = ''] = launched(fleet);
    expect((await account.instance(id)).CapacityReservationId).toBe('cr-1');
    expect(codes(fleet)).toEqual(['ReservationCapacityExceeded']);
    expect(reservation.available).toBe(0);
  });

  it('stays when the reservation ends: the instance continues as on-demand', async () => {
    const { cloud, account, clock } = start();
    const reservation = reserve(cloud, { endsAt: cloud.clock.now() + 3_600_000 });
    const id = await launchReserved(account);
    await clock.advance(3_600_000);
    expect(await account.instance(id)).toMatchObject({ State: { Name: 'running' } });
    expect((await account.instance(id)).CapacityReservationId).toBeUndefined();
    expect(reservation.stateAt(clock.now())).toBe('expired');
    cloud.terminate(id);
    await clock.advance(60_000);
    expect(reservation.available).toBe(1);
  });

  it('of a capacity block is terminated half an hour before the block ends', async () => {
    const { cloud, account, clock } = start();
    reserve(cloud, { reservationType: 'capacity-block', endsAt: cloud.clock.now() + 3_600_000 });
    const id = await launchReserved(account);
    expect((await account.instance(id)).InstanceLifecycle).toBe('capacity-block');
    await clock.advance(1_800_000);
    expect((await account.instance(id)).State?.Name).toBe('shutting-down');
  });

  it('of a cancelled reservation is no longer available', async () => {
    const { cloud, account } = start();
    reserve(cloud);
    expect(cloud.cancelReservation('cr-1')).toBe(true);
    expect(await launchReserved(account)).toBe('');
    const Filters = [{ Name: 'state', Values: ['active'] }];
    expect((await account.aws.ec2.describeCapacityReservations({ Filters })).CapacityReservations).toEqual(
      [],
    );
  });

  it('is refused for volumes smaller than those of the image', async () => {
    const { account } = start();
    const template = await account.template({
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 10 } }],
    });
    expect(codes(await account.fleet({ template }))).toEqual(['InvalidBlockDeviceMapping']);
  });

  it('is refused for more network interfaces than the type supports', async () => {
    const { account } = start();
    const NetworkInterfaces = [0, 1, 2, 3].map((DeviceIndex) => ({ DeviceIndex }));
    const template = await account.template({ NetworkInterfaces });
    expect(codes(await account.fleet({ template }))).toEqual(['AttachmentLimitExceeded']);
  });

  it('does not exist in an unknown region: creating the cloud throws', () => {
    expect(() => start({ region: 'mars-north-1' })).toThrow('region: "mars-north-1" is not a region');
  });

  it('of an open reservation is used unless the launch opts out', async () => {
    const { cloud, account } = start();
    const reservation = reserve(cloud, { matchCriteria: 'open', total: 2 });
    const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: await inZoneA(account) }];
    const declining = await account.template({
      CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
    });
    await account.fleet({ template: declining, overrides });
    expect(reservation.available).toBe(2);
    await account.fleet({ overrides });
    expect(reservation.available).toBe(1);
  });

  it('avoids nearly empty pools with price-capacity-optimized', async () => {
    const { cloud, account } = start();
    const { SubnetId, AvailabilityZone = '' } = await account.subnet();
    cloud.refillPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'spot' }, 1);
    cloud.refillPool({ type: 'm5.4xlarge', zone: AvailabilityZone, capacityType: 'spot' }, 100);
    const overrides = (['m5.large', 'm5.4xlarge'] as const).map((InstanceType) => ({
      InstanceType,
      SubnetId,
    }));
    const more = { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' as const } };
    const careful = await account.fleet({ market: 'spot', overrides, more });
    expect(careful.Instances?.[0]?.InstanceType).toBe('m5.4xlarge');
    const cheap = await account.fleet({ market: 'spot', overrides });
    expect(cheap.Instances?.[0]?.InstanceType).toBe('m5.large');
  });

  it('is refused in another VPC than that of the security groups', async () => {
    const { cloud, account } = start();
    cloud.world.securityGroups.set('sg-x', { id: 'sg-x', name: 'x', vpcId: 'vpc-x', tags: new Map() });
    const template = await account.template({ NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-x'] }] });
    const [error] = (await account.fleet({ template })).Errors ?? [];
    expect(error?.ErrorCode).toBe('InvalidParameter');
    expect(error?.ErrorMessage).toContain('belong to different networks');
  });
});

type Step =
  | readonly ['launch', number, 'spot' | 'on-demand']
  | readonly ['end', number]
  | readonly ['wait', number];

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constant('launch' as const),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom('spot' as const, 'on-demand' as const),
    ),
    fc.tuple(fc.constant('end' as const), fc.nat(10)),
    fc.tuple(fc.constant('wait' as const), fc.integer({ min: 1, max: 700_000 })),
  ),
  { maxLength: 12 },
);

async function play(seed: number, script: readonly Step[], after: (cloud: SimulatedCloud) => void) {
  const { cloud, account, clock } = start({ seed, world: { subnetPrefix: 28 } });
  const small = (await account.subnets()).find(({ CidrBlock }) => CidrBlock?.endsWith('/28'));
  const { AvailabilityZone = '', SubnetId } = small ?? {};
  const overrides = [{ InstanceType: 'm5.large' as const, SubnetId }];
  cloud.refillPool({ type: 'm5.large', zone: AvailabilityZone, capacityType: 'on-demand' }, 5);
  const template = await account.template();
  const ids: string[] = [];
  const answers: unknown[] = [];
  for (const step of script) {
    if (step[0] === 'launch') {
      const fleet = await account.fleet({ template, overrides, count: step[1], market: step[2] });
      ids.push(...launched(fleet));
      answers.push(fleet);
    } else if (step[0] === 'end') {
      const id = ids[step[1]];
      if (id !== undefined && cloud.world.instances.has(id)) {
        answers.push(await account.aws.ec2.terminateInstances({ InstanceIds: [id] }));
      }
    } else await clock.advance(step[1]);
    after(cloud);
  }
  return answers;
}

/** The capacity in use, counted from the instances themselves. */
function expectAccounted(cloud: SimulatedCloud): void {
  const holding = [...cloud.world.instances.values()].filter(({ state }) => state !== 'terminated');
  for (const subnet of cloud.world.subnets.values()) {
    const addresses = holding
      .filter(({ subnetId }) => subnetId === subnet.id)
      .flatMap(({ interfaces }) => interfaces.flatMap(({ lease }) => lease.addresses));
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(subnet.inUse).toBe(addresses.length);
    expect(subnet.available + subnet.inUse).toBe(subnet.total);
  }
  for (const { pool } of holding) {
    if (pool === undefined) continue;
    const same = holding.filter(
      (each) => each.pool?.zone === pool.zone && each.pool.capacityType === pool.capacityType,
    );
    expect(cloud.pools.inUse(pool)).toBe(same.length);
    expect(cloud.pools.available(pool)).toBeGreaterThanOrEqual(0);
  }
  expect(cloud.vcpusInUse['spot'] + cloud.vcpusInUse['on-demand']).toBe(holding.length * 2);
}

describe('any sequence of launches and terminations', () => {
  it('leaves no pool negative and leaks no address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), steps, async (seed, script) => {
        await play(seed, script, expectAccounted);
      }),
      { numRuns: 40 },
    );
  });

  it('gives the same replies with the same seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), steps, async (seed, script) => {
        const first = await play(seed, script, () => undefined);
        expect(await play(seed, script, () => undefined)).toEqual(first);
      }),
      { numRuns: 20 },
    );
  });
});
