import { describe, expect, it } from 'vitest';
import { claimOf, ofType, onDemand, SimulatedAccount } from './simulated-account.ts';

const claim = claimOf('general-1', 'general', [onDemand, ofType('m5.large')]);
const notAllowed =
  'User is not authorized to perform this operation because no identity-based policy allows it';

async function account(): Promise<SimulatedAccount> {
  const made = new SimulatedAccount();
  await made.start();
  await made.addPool('general');
  return made;
}

describe('a launch that AWS rejects', () => {
  it('names the denied call, and makes it once', async () => {
    const made = await account();
    made.cloud.faults.set({ deny: ['ec2:CreateFleet'] });
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'launch-failed',
      details: { reason: 'Unauthorized', conditionMessage: `Error creating fleet request: ${notAllowed}` },
    });
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);
    made.cloud.faults.set({ deny: ['ec2:CreateLaunchTemplate'] });
    await made.clock.advance(60_000);
    await made.answered(made.provider.launchTemplates.sweep());
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'launch-failed',
      details: {
        reason: 'Unauthorized',
        conditionMessage: `Error getting launch template configs: ${notAllowed}`,
      },
    });
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBe(1);
  });

  it('reports that user data is too large, and requests no instance', async () => {
    const made = await account();
    await made.addPool('wordy', { userData: `#!/bin/bash\n# ${'words '.repeat(3000)}\n` });
    await expect(made.create(claimOf('wordy-1', 'wordy', [onDemand]))).rejects.toMatchObject({
      code: 'launch-failed',
      details: {
        reason: 'UserDataSizeLimitExceeded',
        conditionMessage:
          'Error getting launch template configs: Rendered user data exceeds the EC2 user data size limit',
      },
    });
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBeUndefined();
    expect(made.log.lines).toContain('info rendered user data is approaching the EC2 user data size limit');
    expect(
      made.meters.gauges.get('karpenter_ec2nodeclasses_userdata_bytes{nodeclass="wordy"}'),
    ).toBeGreaterThan(16_384);
  });
});

describe('a region that does not respond', () => {
  const nowhere = {
    errors: [
      {
        call: '*',
        code: 'ENOTFOUND',
        message: 'getaddrinfo ENOTFOUND ec2.us-west-2.amazonaws.com',
        status: 0,
        chance: 1,
        times: Number.POSITIVE_INFINITY,
      },
    ],
  };

  it('is reported at the start', async () => {
    const made = new SimulatedAccount({ faults: nowhere });
    await expect(made.start()).rejects.toMatchObject({
      code: 'aws-call-failed',
      message: expect.stringMatching(/^cannot call EC2 in region us-west-2: .*ENOTFOUND.*; check the region/),
    });
  });

  it('fails each call once, and keeps cached data', async () => {
    const made = await account();
    const { cloud } = made.provider;
    const nodePool = await made.addPool('general');
    const types = await cloud.instanceTypes(nodePool);
    const instance = await made.create(claim);
    made.cloud.faults.set(nowhere);
    const before = total(made);
    await expect(
      made.create(claimOf('two', 'general', [onDemand, ofType('c5.large')])),
    ).rejects.toMatchObject({
      code: 'launch-failed',
      details: { reason: 'LaunchFailed' },
    });
    await expect(made.answered(cloud.list())).rejects.toThrow('ENOTFOUND');
    await expect(made.answered(made.provider.instanceTypes.refresh())).rejects.toThrow('ENOTFOUND');
    await expect(made.answered(made.provider.pricing.refresh())).rejects.toThrow('ENOTFOUND');
    // The SDK makes three attempts; our code adds no retries.
    expect(total(made) - before).toBeLessThanOrEqual(3 * 8);
    expect(await cloud.instanceTypes(nodePool)).toBe(types);
    expect((await made.answered(cloud.get(instance.providerId)))?.providerId).toBe(instance.providerId);
    made.cloud.faults.clear();
    await made.create(claimOf('three', 'general', [onDemand, ofType('c5.large')]));
  });
});

function total({ cloud }: SimulatedAccount): number {
  return [...cloud.calls.values()].reduce((sum, count) => sum + count, 0);
}
