import { Account, present } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { createCloud } from './cloud.ts';
import { type Faults, noFaults } from './faults/faults.ts';

interface Envelope {
  readonly version: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly time: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

function start(faults: Partial<Faults> = {}) {
  const clock = new VirtualClock();
  const cloud = createCloud({ clock, seed: 7, clusterName: 'prod', faults });
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const account = new Account(
    { services: cloud.services, clusterName: 'prod', region: 'us-west-2', version: '1.36', settle },
    'test',
  );
  return { clock, cloud, account };
}

async function messages(account: Account): Promise<readonly Envelope[]> {
  const QueueUrl = await account.queueUrl();
  const { Messages = [] } = await account.aws.sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
  for (const { ReceiptHandle } of Messages) await account.aws.sqs.deleteMessage({ QueueUrl, ReceiptHandle });
  return Messages.map(({ Body }) => JSON.parse(Body ?? ''));
}

const kinds = (envelopes: readonly Envelope[]) =>
  envelopes.map(
    (each) =>
      `${each['detail-type']}${typeof each.detail['state'] === 'string' ? `: ${each.detail['state']}` : ''}`,
  );

describe('an interruption', () => {
  it('sends a warning to the queue and terminates the instance two minutes later', async () => {
    const { account, cloud, clock } = start();
    const [id = ''] = await account.running({ market: 'spot' });
    await messages(account);
    expect(cloud.interrupt(id)).toBe(true);
    const [warning] = await messages(account);
    expect(warning).toMatchObject({
      version: '0',
      source: 'aws.ec2',
      'detail-type': 'EC2 Spot Instance Interruption Warning',
      detail: { 'instance-id': id, 'instance-action': 'terminate' },
    });
    await clock.advance(119_000);
    expect(cloud.world.instances.get(id)?.state).toBe('running');
    await clock.advance(1_000);
    expect(cloud.world.instances.get(id)?.state).toBe('shutting-down');
    expect((await account.instance(id)).StateReason?.Code).toBe('Server.SpotInstanceTermination');
  });

  it('is announced once', async () => {
    const { account, cloud } = start();
    const [id = ''] = await account.running({ market: 'spot' });
    await messages(account);
    cloud.interrupt(id);
    cloud.interrupt(id);
    expect(await messages(account)).toHaveLength(1);
  });

  it('of an interruptible reservation has its own message type', async () => {
    const { account, cloud } = start();
    cloud.addReservation({
      id: 'cr-1',
      ownerId: cloud.world.accountId,
      type: 'm5.large',
      zone: (await account.subnet()).AvailabilityZone ?? '',
      zoneId: '',
      total: 1,
      matchCriteria: 'open',
      reservationType: 'default',
      isInterruptible: true,
      createdAt: cloud.clock.now(),
      tags: new Map(),
    });
    const [id = ''] = await account.running();
    await messages(account);
    expect(cloud.interrupt(id)).toBe(true);
    expect(kinds(await messages(account))).toEqual([
      'EC2 Capacity Reservation Instance Interruption Warning',
    ]);
  });

  it('does not happen to on-demand instances', async () => {
    const { account, cloud } = start();
    const [id = ''] = await account.running();
    expect(cloud.interrupt(id)).toBe(false);
  });

  it('returns false for an unknown instance', () => {
    expect(start().cloud.interrupt('i-1')).toBe(false);
  });

  it('follows a rebalance recommendation when a pool shrinks below its running instances', async () => {
    const { account, cloud, clock } = start();
    const [id = ''] = await account.running({ market: 'spot' });
    await messages(account);
    cloud.drainPool({
      type: 'm5.large',
      zone: (await account.instance(id)).Placement?.AvailabilityZone ?? '',
      capacityType: 'spot',
    });
    await clock.advance(600_000);
    expect(kinds(await messages(account))[0]).toBe('EC2 Instance Rebalance Recommendation');
    await clock.advance(120_000);
    expect(cloud.world.instances.get(id)?.state).toBe('running');
    await clock.advance(120_000);
    expect(cloud.world.instances.get(id)?.state).not.toBe('running');
  });

  it('happens at random at the configured rate', async () => {
    const { account, cloud, clock } = start({ spot: { ...noFaults.spot, interruptionsPerHour: 0.5 } });
    await account.running({ market: 'spot', count: 40 });
    await clock.advance(3_600_000);
    const alive = [...cloud.world.instances.values()].filter(({ state }) => state === 'running').length;
    expect(alive).toBeGreaterThan(8);
    expect(alive).toBeLessThan(32);
  });
});

describe('events', () => {
  it('report every state change of an instance on the queue', async () => {
    const { account, clock } = start();
    const [id = ''] = await account.running();
    await account.aws.ec2.terminateInstances({ InstanceIds: [id] });
    await clock.advance(31_000);
    expect(kinds(await messages(account))).toEqual(
      ['pending', 'running', 'shutting-down', 'terminated'].map(
        (state) => `EC2 Instance State-change Notification: ${state}`,
      ),
    );
  });

  it('of maintenance appear in the instance status and on the queue', async () => {
    const { account, cloud } = start();
    const [id = ''] = await account.running();
    await messages(account);
    cloud.maintenance(id, 'instance-retirement');
    const Filters = [{ Name: 'event.code', Values: ['instance-retirement'] }];
    const { InstanceStatuses = [] } = await account.aws.ec2.describeInstanceStatus({ Filters });
    expect(InstanceStatuses[0]?.Events?.[0]?.Code).toBe('instance-retirement');
    const [event] = await messages(account);
    expect(event).toMatchObject({
      source: 'aws.health',
      'detail-type': 'AWS Health Event',
      detail: {
        service: 'EC2',
        eventTypeCategory: 'scheduledChange',
        affectedEntities: [{ entityValue: id }],
      },
    });
  });

  it('of failed status checks are found by filter, with ImpairedSince', async () => {
    const { account, cloud, clock } = start();
    const [id = ''] = await account.running();
    const since = clock.now();
    cloud.impair(id, 'system');
    await clock.advance(120_000);
    const Filters = [{ Name: 'system-status.status', Values: ['impaired'] }];
    const { InstanceStatuses = [] } = await account.aws.ec2.describeInstanceStatus({ Filters });
    const [detail] = present(InstanceStatuses[0], 'a status').SystemStatus?.Details ?? [];
    expect(detail).toEqual({ Name: 'reachability', Status: 'failed', ImpairedSince: new Date(since) });
    cloud.impair(id, 'system', false);
    expect((await account.aws.ec2.describeInstanceStatus({ Filters })).InstanceStatuses).toEqual([]);
  });

  it('end a long poll at once', async () => {
    const { account, cloud, clock } = start();
    const QueueUrl = await account.queueUrl();
    const poll = account.aws.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await clock.advance(5_000);
    cloud.sendMessage('hello');
    expect((await poll).Messages?.[0]?.Body).toBe('hello');
  });

  it('expire after five minutes', async () => {
    const { account, cloud, clock } = start();
    cloud.sendMessage('hello');
    await clock.advance(300_000);
    const QueueUrl = await account.queueUrl();
    expect((await account.aws.sqs.receiveMessage({ QueueUrl })).Messages).toBeUndefined();
  });

  it('let an empty long poll end after its wait time', async () => {
    const { account, clock } = start();
    const QueueUrl = await account.queueUrl();
    const poll = account.aws.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await clock.advance(20_000);
    expect((await poll).Messages).toBeUndefined();
  });

  it('stop being awaited when the poll is aborted', async () => {
    const { account } = start();
    const QueueUrl = await account.queueUrl();
    const giveUp = new AbortController();
    const poll = account.aws.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }, { signal: giveUp.signal });
    giveUp.abort();
    expect((await poll).Messages).toBeUndefined();
  });
});

describe('a zonal shift', () => {
  it('is in force until it is ended or expires', async () => {
    const { cloud, clock } = start();
    const shifts = async () =>
      (await cloud.services.zonalShift.getManagedResource({ resourceIdentifier: cloud.world.cluster.arn }))
        .zonalShifts;
    cloud.shiftZone('usw2-az1', 60_000);
    cloud.shiftZone('usw2-az2', 600_000);
    expect((await shifts())?.map(({ awayFrom }) => awayFrom)).toEqual(['usw2-az1', 'usw2-az2']);
    await clock.advance(60_000);
    expect((await shifts())?.map(({ awayFrom }) => awayFrom)).toEqual(['usw2-az2']);
    cloud.endShift('usw2-az2');
    expect(await shifts()).toEqual([]);
  });
});

describe('spot prices', () => {
  it('lie below the on-demand price and change over time', async () => {
    const { cloud, clock } = start();
    const before = cloud.prices.at('m5.large', 'us-west-2a', clock.now());
    expect(before).toBeGreaterThan(0.02);
    expect(before).toBeLessThan(0.08);
    await clock.advance(6 * 3_600_000);
    expect(cloud.prices.at('m5.large', 'us-west-2a', clock.now())).not.toBe(before);
  });

  it('have a history', async () => {
    const { cloud, clock } = start();
    const StartTime = new Date(clock.now() - 5 * 3_600_000);
    const { SpotPriceHistory = [] } = await cloud.services.ec2.describeSpotPriceHistory({
      InstanceTypes: ['m5.large'],
      AvailabilityZone: 'us-west-2a',
      ProductDescriptions: ['Linux/UNIX'],
      StartTime,
    });
    expect(SpotPriceHistory).toHaveLength(6);
  });
});

describe('images', () => {
  const latest = '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/recommended/image_id';

  it('are released, and the SSM parameter of the latest names the new one', async () => {
    const { cloud, clock } = start();
    const image = async () =>
      (await cloud.services.ssm.getParameter({ Name: latest })).Parameter?.Value ?? '';
    const before = await image();
    await clock.advance(20 * 86_400_000);
    expect(await image()).toBe(before);
    cloud.releaseImages();
    expect(await image()).not.toBe(before);
    expect((await cloud.services.ec2.describeImages({ ImageIds: [before] })).Images).toHaveLength(1);
  });

  it('of the next version come with the upgrade of the cluster', async () => {
    const { cloud } = start();
    cloud.upgradeCluster('1.37');
    const Name = latest.replace('1.36', '1.37');
    expect((await cloud.services.ssm.getParameter({ Name })).Parameter?.Value).toMatch(/^ami-/);
    expect((await cloud.services.eks.describeCluster({ name: 'prod' })).cluster?.version).toBe('1.37');
  });
});
