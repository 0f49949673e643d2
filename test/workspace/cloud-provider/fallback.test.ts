import { awsMetrics } from '@karpenter/aws';
import { labelKeys, minutes, type NodePool, seconds } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { claimOf, ofType, onDemand, only, SimulatedAccount, spotOrOnDemand } from './simulated-account.ts';

const types = ['m5.large', 'm6i.large', 'c5.large', 'r5.large', 'm5a.large'];
const zones = ['us-west-2a', 'us-west-2b', 'us-west-2c'];
const spot = only(labelKeys.capacityType, 'spot');

async function account(): Promise<SimulatedAccount> {
  const made = new SimulatedAccount();
  await made.start();
  await made.addPool('spot');
  await made.addPool('on-demand');
  return made;
}

function drain(made: SimulatedAccount, capacityType: 'spot' | 'on-demand'): void {
  for (const type of types) for (const zone of zones) made.cloud.drainPool(type, zone, capacityType);
}

/** How many offerings of the types can be had, by capacity type. */
async function toBeHad(made: SimulatedAccount, nodePool: NodePool): Promise<Record<string, number>> {
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
  it('goes from pools that have run dry to the offerings that are left, and returns', async () => {
    const made = await account();
    const nodePool = await made.addPool('spot');
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
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
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 0, 'on-demand': 15 });
    expect(made.log.lines).toContain('debug removing offering from offerings');
    // Three claims shared the request, and its errors count once.
    expect(made.meters.total(awsMetrics.launchFailures)).toBe(15);
    expect([...made.meters.counts.keys()]).toContainEqual(
      `${awsMetrics.launchFailures.name}{capacity_type="spot",reason="LaunchFailed",zone="us-west-2a",zone_id="usw2-az2"}`,
    );

    const again = await Promise.allSettled([made.create(claims[0] ?? claimOf('', ''))]);
    expect(again).toMatchObject([
      { reason: { message: 'all requested instance types were unavailable during launch' } },
    ]);
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);

    const machine = await made.create(claimOf('four', 'on-demand', [onDemand, ofType(...types)]));
    expect(machine.labels).toMatchObject({ [labelKeys.capacityType]: 'on-demand' });
    const flexible = await made.create(claimOf('five', 'spot', [spotOrOnDemand, ofType(...types)]));
    expect(flexible.labels).toMatchObject({ [labelKeys.capacityType]: 'on-demand' });

    for (const type of types) for (const zone of zones) made.cloud.refillPool(type, zone, 'spot', 10);
    await made.clock.advance(minutes(3) + seconds(1));
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
    const returned = await made.create(claimOf('six', 'spot', [spotOrOnDemand, ofType(...types)]));
    expect(returned.labels).toMatchObject({ [labelKeys.capacityType]: 'spot' });
  });

  it('leaves out only what a launch found wanting, even when it got its instance', async () => {
    const made = await account();
    made.cloud.drainPool('m5.large', 'us-west-2a', 'on-demand');
    made.cloud.drainPool('m5.large', 'us-west-2b', 'on-demand');
    const machine = await made.create(claimOf('one', 'on-demand', [onDemand, ofType('m5.large')]));
    expect(machine.labels).toMatchObject({ [labelKeys.zone]: 'us-west-2c' });
    const left = await toBeHad(made, await made.addPool('on-demand'));
    expect(left).toEqual({ spot: 15, 'on-demand': 13 });
  });

  it('tells what to run if the account lacks the role for spot, and leaves spot alone', async () => {
    const made = new SimulatedAccount();
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
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 0, 'on-demand': 15 });
  });

  it('launches nothing in a zone that traffic is shifted away from, until the shift ends', async () => {
    const made = new SimulatedAccount({ env: { ENABLE_ZONAL_SHIFT: 'true' } });
    await made.start();
    const nodePool = await made.addPool('spot');
    made.cloud.shiftZone('usw2-az1', minutes(10));
    await made.answered(made.provider.zonalShifts.refresh());
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 10, 'on-demand': 10 });
    await made.clock.advance(minutes(10));
    expect(await toBeHad(made, nodePool)).toEqual({ spot: 15, 'on-demand': 15 });
  });
});
