import { Account, refused } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { createCloud } from './cloud.ts';
import { type Faults, noFaults } from './faults/faults.ts';

function start(faults: Partial<Faults> = {}) {
  const clock = new VirtualClock();
  const cloud = createCloud({ clock, seed: 7, clusterName: 'prod', faults });
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const account = new Account(
    { services: cloud.services, clusterName: 'prod', region: 'us-west-2', version: '1.36', settle },
    'test',
  );
  return { clock, cloud, account, ec2: cloud.services.ec2 };
}

const once = { chance: 1, times: 1 };
const always = { chance: 1, times: Number.POSITIVE_INFINITY };
const noRetries = { retries: 'none' } as const;

/** Waits for a call whose attempts sleep on the clock. */
async function through<T>(clock: VirtualClock, call: Promise<T>): Promise<T> {
  const settled = call.then(
    () => undefined,
    () => undefined,
  );
  let isDone = false;
  void settled.then(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(100);
  return call;
}

describe('throttling', () => {
  it('refuses calls when the bucket is empty and takes them again when it has refilled', async () => {
    const { clock, ec2 } = start({ throttling: { 'ec2:describe': { burst: 2, perSecond: 1 } } });
    await ec2.describeSubnets({}, noRetries);
    await ec2.describeImages({ MaxResults: 5 }, noRetries);
    const error = await refused(ec2.describeSubnets({}, noRetries), 'RequestLimitExceeded');
    expect(error.statusCode).toBe(503);
    await clock.advance(1_000);
    await ec2.describeSubnets({}, noRetries);
  });

  it('of one family leaves the others alone', async () => {
    const { ec2, cloud } = start({ throttling: { 'ec2:describe': { burst: 0, perSecond: 0 } } });
    await refused(ec2.describeSubnets({}, noRetries), 'RequestLimitExceeded');
    await cloud.services.sts.getCallerIdentity({});
  });

  it('is overcome by the second attempt that the SDK makes', async () => {
    const { clock, ec2, cloud } = start({ throttling: { 'ec2:describe': { burst: 1, perSecond: 500 } } });
    await ec2.describeSubnets({});
    await through(clock, ec2.describeSubnets({}));
    expect(cloud.calls.get('ec2:DescribeSubnets')).toBe(3);
  });

  it('is followed by attempts at different times, also of those that were refused together', async () => {
    const { clock, ec2 } = start({ throttling: { 'ec2:describe': { burst: 1, perSecond: 500 } } });
    const began = clock.now();
    const ends = Array.from({ length: 20 }, () => ec2.describeSubnets({}).then(() => clock.now() - began));
    const waits = await through(clock, Promise.all(ends));
    expect(new Set(waits).size).toBeGreaterThan(15);
    expect(Math.max(...waits)).toBeLessThan(1500);
  });

  it('can be switched off', async () => {
    const { ec2 } = start({ throttling: 'off' });
    for (let count = 0; count < 300; count += 1) await ec2.describeAvailabilityZones({}, noRetries);
  });
});

describe('faults', () => {
  it('deny actions by pattern, in the words of each service', async () => {
    const { cloud, ec2 } = start({ deny: ['ec2:Describe*', 'iam:*'] });
    const error = await refused(ec2.describeSubnets({}), 'UnauthorizedOperation');
    expect(error.message).toContain('is not authorized to perform: ec2:DescribeSubnets');
    expect(error.statusCode).toBe(403);
    await refused(cloud.services.iam.listInstanceProfiles({}), 'AccessDenied');
  });

  it('deny dry runs too', async () => {
    const { account, cloud } = start();
    const template = await account.template();
    cloud.faults.set({ deny: ['ec2:CreateFleet'] });
    await refused(account.fleet({ template, more: { DryRun: true } }), 'UnauthorizedOperation');
  });

  it('fail a call as often as their settings say', async () => {
    const rule = {
      call: 'eks:*',
      code: 'ServerException',
      message: 'out of order',
      status: 500,
      chance: 1,
      times: 2,
    };
    const { cloud } = start({ errors: [rule] });
    const call = () => cloud.services.eks.describeCluster({ name: 'prod' }, noRetries);
    const error = await refused(call(), 'ServerException');
    expect(error.fault).toBe('server');
    await refused(call(), 'ServerException');
    await call();
  });

  it('are not answered by another attempt where the caller may not make one', async () => {
    const rule = { ...always, call: '*', code: 'InternalError', message: 'x', status: 500 };
    const { clock, cloud, ec2 } = start({ errors: [rule], throttling: 'off' });
    const refusal = new Error('the lease is lost');
    const beforeAttempt = () => {
      if (cloud.calls.has('ec2:TerminateInstances')) throw refusal;
    };
    const call = ec2.terminateInstances({ InstanceIds: ['i-1'] }, { beforeAttempt });
    await expect(through(clock, call)).rejects.toBe(refusal);
    expect(cloud.calls.get('ec2:TerminateInstances')).toBe(1);
  });

  it('by chance hit some calls and spare others', async () => {
    const rule = { ...always, call: '*', code: 'InternalError', message: 'x', status: 500, chance: 0.5 };
    const { ec2 } = start({ errors: [rule], throttling: 'off' });
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        ec2.describeSubnets({}, noRetries).then(
          () => 1,
          () => 0,
        ),
      ),
    );
    const passed = results.filter((result) => result === 1).length;
    expect(passed).toBeGreaterThan(25);
    expect(passed).toBeLessThan(75);
  });

  it('lose a reply after the work is done, which a second attempt does not repeat', async () => {
    const { account, clock, cloud } = start();
    const template = await account.template();
    cloud.faults.set({ lostReplies: [{ call: 'ec2:CreateFleet', ...once }] });
    const fleet = await through(clock, account.fleet({ template }));
    expect(fleet.Instances).toHaveLength(1);
    expect(cloud.world.instances.size).toBe(1);
    expect(cloud.calls.get('ec2:CreateFleet')).toBe(2);
  });

  it('that lose every reply leave instances that no caller knows', async () => {
    const { account, clock, cloud } = start();
    const template = await account.template();
    cloud.faults.set({ lostReplies: [{ call: 'ec2:CreateFleet', ...always }] });
    const error = await refused(through(clock, account.fleet({ template })), 'TimeoutError');
    expect(error.statusCode).toBe(0);
    expect(cloud.world.instances.size).toBe(1);
  });

  it('slow calls down', async () => {
    const { clock, ec2 } = start({ latency: 100, slow: [{ call: 'ec2:DescribeSubnets', by: 900 }] });
    let isDone = false;
    const call = ec2.describeSubnets({}).then(() => {
      isDone = true;
    });
    await clock.advance(999);
    expect(isDone).toBe(false);
    await clock.advance(1);
    await call;
  });

  it('hide a new instance from describing calls for a while', async () => {
    const { account, clock, ec2 } = start({ consistency: { describe: 3_000, profile: 0 } });
    const fleet = await account.fleet();
    const InstanceIds = [...(fleet.Instances?.[0]?.InstanceIds ?? [])];
    await refused(ec2.describeInstances({ InstanceIds }), 'InvalidInstanceID.NotFound');
    expect((await ec2.describeInstances({})).Reservations).toEqual([]);
    await clock.advance(3_000);
    expect((await ec2.describeInstances({ InstanceIds })).Reservations).toHaveLength(1);
  });

  it('keep EC2 from knowing a new profile for a while', async () => {
    const { account, clock } = start({ consistency: { describe: 0, profile: 10_000 } });
    const template = await account.template({ IamInstanceProfile: { Name: await account.profile() } });
    expect((await account.fleet({ template })).Errors?.[0]?.ErrorMessage).toContain(
      'Invalid IAM Instance Profile name',
    );
    await clock.advance(10_000);
    expect((await account.fleet({ template })).Errors).toEqual([]);
  });

  it('can be set and cleared at run time', async () => {
    const { cloud, ec2 } = start();
    cloud.faults.set({ deny: ['*'] });
    await refused(ec2.describeSubnets({}), 'UnauthorizedOperation');
    cloud.faults.clear();
    await ec2.describeSubnets({});
    expect(cloud.faults.current).toBe(noFaults);
  });

  it('leave a call that was given up without an answer', async () => {
    const { ec2 } = start({ latency: 1_000 });
    const giveUp = new AbortController();
    const call = ec2.describeSubnets({}, { signal: giveUp.signal });
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});
