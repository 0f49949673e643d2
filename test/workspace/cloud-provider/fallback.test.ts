import { awsMetrics } from '@karpenter/aws';
import { labelKeys, minutes, type NodePool, seconds } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import {
  claimOf,
  inWholeRegion,
  ofType,
  onDemand,
  only,
  SimulatedAccount,
  spotOrOnDemand,
} from './simulated-account.ts';

const types = ['m5.large', 'm6i.large', 'c5.large', 'r5.large', 'm5a.large'];
const zones = ['us-west-2a', 'us-west-2b', 'us-west-2c'];
const spot = only(labelKeys.capacityType, 'spot');

async function account(): Promise<SimulatedAccount> {
  const made = new SimulatedAccount({ network: inWholeRegion });
  await made.start();
  await made.addPool('spot');
  await made.addPool('on-demand');
  return made;
}

function drain(made: SimulatedAccount, capacityType: 'spot' | 'on-demand'): void {
  for (const type of types) for (const zone of zones) made.cloud.drainPool({ type, zone, capacityType });
}

/** Number of available offerings of the types, by capacity type. */
async function availableOfferings(
  made: SimulatedAccount,
  nodePool: NodePool,
): Promise<Record<string, number>> {
  const listed = await made.provider.cloud.instanceTypes(nodePool);
  const counts: Record<string, number> = { spot: 0, 'on-demand': 0 };
  for (const { name, offerings } of listed) {
    for (const { available, requirements } of types.includes(name) ? offerings : []) {
      const capacityType = requirements.find(({ key }) => key === labelKeys.capacityType)?.values?.[0] ?? '';
      if (available) counts[capacityType] = (counts[capacityType] ?? 0) + 1;
    }
  }
  return counts;
}

describe('fallback from spot to on-demand', () => {
  it('moves from exhausted capacity pools to the remaining offerings, and back', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
    drain(made, 'spot');

    const claims = ['one', 'two', 'three'].map((name) => claimOf(name, 'spot', [spot, ofType(...types)]));
    const launches = await made.answered(
      Promise.allSettled(claims.map((claim) => made.provider.cloud.create(claim))),
    );
    for (const launch of launches) {
      expect(launch).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'insufficient-capacity',
          message: expect.stringMatching(/^with fleet error\(s\), InsufficientInstanceCapacity: /),
        },
      });
    }
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 0, 'on-demand': 15 });
    expect(made.log.lines).toContain('debug removing offering from offerings');
    // Three NodeClaims shared the request, and its errors count once.
    expect(made.meters.total(awsMetrics.launchFailures)).toBe(15);
    expect([...made.meters.counts.keys()]).toContainEqual(
      `${awsMetrics.launchFailures.name}{capacity_type="spot",reason="LaunchFailed",zone="us-west-2a",zone_id="usw2-az2"}`,
    );

    const again = await Promise.allSettled([made.create(claims[0] ?? claimOf('', ''))]);
    expect(again).toMatchObject([
      { reason: { message: 'all requested instance types were unavailable during launch' } },
    ]);
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);

    const instance = await made.create(claimOf('four', 'on-demand', [onDemand, ofType(...types)]));
    expect(instance.labels).toMatchObject({ [labelKeys.capacityType]: 'on-demand' });
    const flexible = await made.create(claimOf('five', 'spot', [spotOrOnDemand, ofType(...types)]));
    expect(flexible.labels).toMatchObject({ [labelKeys.capacityType]: 'on-demand' });

    for (const type of types)
      for (const zone of zones) made.cloud.refillPool({ type, zone, capacityType: 'spot' }, 10);
    await made.clock.advance(minutes(3) + seconds(1));
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
    const returned = await made.create(claimOf('six', 'spot', [spotOrOnDemand, ofType(...types)]));
    expect(returned.labels).toMatchObject({ [labelKeys.capacityType]: 'spot' });
  });

  it('marks only offerings unavailable that failed, even if the launch succeeded', async () => {
    const made = await account();
    made.cloud.drainPool({ type: 'm5.large', zone: 'us-west-2a', capacityType: 'on-demand' });
    made.cloud.drainPool({ type: 'm5.large', zone: 'us-west-2b', capacityType: 'on-demand' });
    // Which zone comes first depends on the fleet, so several are needed until each has failed once.
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      const instance = await made.create(claimOf(name, 'on-demand', [onDemand, ofType('m5.large')]));
      expect(instance.labels).toMatchObject({ [labelKeys.zone]: 'us-west-2c' });
    }
    const left = await availableOfferings(made, await made.addPool('on-demand'));
    expect(left).toEqual({ spot: 15, 'on-demand': 13 });
  });

  it('names the command that creates a missing spot role, and avoids spot', async () => {
    const made = new SimulatedAccount({ network: inWholeRegion });
    made.cloud.faults.set({ spot: { ...made.cloud.faults.current.spot, serviceLinkedRole: 'missing' } });
    await made.start();
    const nodePool = await made.addPool('spot');
    await expect(made.create(claimOf('one', 'spot', [spot, ofType(...types)]))).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    expect(made.events).toEqual([
      'NodeClaim one Warning: Attempted to launch a spot instance but failed due to "AuthFailure.ServiceLinkedRoleCreationNotPermitted"',
    ]);
    expect(made.log.fields.at(made.log.lines.findIndex((line) => line.startsWith('error')))).toMatchObject({
      hint: 'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com',
    });
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 0, 'on-demand': 15 });
  });

  it('launches nothing in a shifted zone until the shift ends', async () => {
    const made = new SimulatedAccount({ network: inWholeRegion, env: { ENABLE_ZONAL_SHIFT: 'true' } });
    await made.start();
    const nodePool = await made.addPool('spot');
    made.cloud.shiftZone('usw2-az1', minutes(10));
    await made.answered(made.provider.zonalShifts.refresh());
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 10, 'on-demand': 10 });
    await made.clock.advance(minutes(10));
    expect(await availableOfferings(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
  });
});

/** Number of types whose offering of the capacity type is available, suspect, or neither. */
async function chances(made: SimulatedAccount, nodePool: NodePool, capacityType: string) {
  const counts = { open: 0, suspect: 0, out: 0 };
  for (const { offerings } of await made.provider.cloud.instanceTypes(nodePool)) {
    const sold = offerings.filter(({ requirements }) =>
      requirements.some(({ key, values }) => key === labelKeys.capacityType && values?.[0] === capacityType),
    );
    if (sold.some(({ available }) => available)) counts.open += 1;
    else if (sold.some(({ isSuspect }) => isSuspect)) counts.suspect += 1;
    else counts.out += 1;
  }
  return counts;
}

const noSpot = [{ types: '*', zones: '*', capacityTypes: 'spot', depth: 0 }];

describe('a launch with many types', () => {
  it('makes all other offerings for its pods suspect for three minutes', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    const [before, onDemandBefore] = [
      await chances(made, nodePool, 'spot'),
      await chances(made, nodePool, 'on-demand'),
    ];
    made.cloud.faults.set({ capacity: noSpot });
    await expect(made.create(claimOf('one', 'spot', [spot]))).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);
    expect(await chances(made, nodePool, 'spot')).toEqual({
      open: 0,
      suspect: before.open - 60,
      out: before.out + 60,
    });
    expect(await chances(made, nodePool, 'on-demand')).toEqual(onDemandBefore);
    const index = made.log.lines.findIndex((line) =>
      line.startsWith('info no capacity in any requested offering'),
    );
    expect(made.log.fields[index]).toMatchObject({
      reason: 'InsufficientInstanceCapacity',
      'capacity-type': 'spot',
      'instance-types-requested': 60,
      'instance-types-suspect': before.open,
      ttl: '3m0s',
    });

    await made.clock.advance(minutes(3) + seconds(1));
    expect(await chances(made, nodePool, 'spot')).toEqual(before);
  });

  it('makes no offering suspect that its pods or its NodePool exclude', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    const { template } = nodePool.spec;
    const notIn = { key: labelKeys.instanceType, operator: 'NotIn' as const, values: ['m5.large'] };
    made.nodePools.set({
      ...nodePool,
      spec: {
        ...nodePool.spec,
        template: { ...template, spec: { ...template.spec, requirements: [notIn] } },
      },
    });
    made.cloud.faults.set({ capacity: noSpot });
    const claim = claimOf('one', 'spot', [
      spot,
      only('kubernetes.io/arch', 'amd64'),
      only(labelKeys.zone, 'us-west-2a'),
      notIn,
    ]);
    await expect(made.create(claim)).rejects.toMatchObject({ code: 'insufficient-capacity' });
    const suspects = (await made.provider.cloud.instanceTypes(nodePool)).flatMap((type) =>
      type.offerings.filter(({ isSuspect }) => isSuspect).map((offering) => ({ type, offering })),
    );
    expect(suspects.length).toBeGreaterThan(100);
    for (const { type, offering } of suspects) {
      expect(type.name).not.toBe('m5.large');
      expect(type.requirements).toContainEqual(only('kubernetes.io/arch', 'amd64'));
      expect(offering.requirements).toContainEqual(spot);
      expect(offering.requirements).toContainEqual(only(labelKeys.zone, 'us-west-2a'));
    }
  });

  it('makes no offering suspect if only some of its offerings fail, and launches the others', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    const before = await chances(made, nodePool, 'spot');
    made.cloud.faults.set({
      capacity: [{ types: 't*', zones: '*', capacityTypes: 'spot', depth: 0 }],
    });
    const instance = await made.create(claimOf('one', 'spot', [spot]));
    expect(instance.labels[labelKeys.instanceType]).not.toMatch(/^t/);
    expect(await chances(made, nodePool, 'spot')).toMatchObject({ suspect: 0 });
    expect(before.suspect).toBe(0);
  });

  it('clears suspect offerings when one of them launches', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    made.cloud.faults.set({ capacity: noSpot });
    await expect(made.create(claimOf('one', 'spot', [spot]))).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    const named = await chances(made, nodePool, 'spot');
    made.cloud.faults.set({ capacity: [] });
    const instance = await made.create(claimOf('two', 'spot', [spot]));
    expect(instance.labels).toMatchObject({ [labelKeys.capacityType]: 'spot' });
    expect(await chances(made, nodePool, 'spot')).toEqual({
      open: named.suspect,
      suspect: 0,
      out: named.out,
    });
  });
});

describe('a launch with few types', () => {
  it('makes no other type suspect', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    const before = await chances(made, nodePool, 'spot');
    made.cloud.faults.set({ capacity: noSpot });
    await expect(made.create(claimOf('one', 'spot', [spot, ofType(...types)]))).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    expect(await chances(made, nodePool, 'spot')).toEqual({
      open: before.open - types.length,
      suspect: 0,
      out: before.out + types.length,
    });
  });
});
