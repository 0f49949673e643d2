import type { InstanceStatus } from '@aws-sdk/client-ec2';
import {
  InstanceStatusController,
  InterruptionHandler,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import type { Ec2 } from '@karpenter/aws/ports';
import { minutes, seconds } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import { runSingleton } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, MemoryCluster } from './memory-cluster.ts';

let clock: VirtualClock;
let cluster: MemoryCluster;
/** The replies of EC2 by the name of the filter; one instance per page. */
let answers: Map<string, readonly InstanceStatus[]>;
let failure: Error | undefined;
let calls: number;
let running: AbortController;
let controller: InstanceStatusController;
let isStarted: boolean;

beforeEach(() => {
  clock = new VirtualClock();
  cluster = new MemoryCluster(clock);
  answers = new Map();
  failure = undefined;
  calls = 0;
  running = new AbortController();
  const now = () => clock.now();
  const { counters, log, interrupted } = cluster;
  const handler = new InterruptionHandler({
    cluster: interrupted,
    unavailable: new UnavailableOfferings({ now }),
    reservations: new ReservationCounts(now),
    log,
  });
  const ec2 = { describeInstanceStatus };
  controller = new InstanceStatusController({
    ec2,
    cluster: interrupted,
    handler,
    clock,
    counters,
    log,
  });
  isStarted = false;
});

afterEach(() => running.abort());

/** Starts the controller on the first call. */
async function pass(time: DurationMs): Promise<void> {
  if (!isStarted) void runSingleton(controller, { clock, signal: running.signal });
  isStarted = true;
  await clock.advance(time);
}

async function describeInstanceStatus({ Filters, NextToken }: Parameters<Ec2['describeInstanceStatus']>[0]) {
  calls += 1;
  if (failure !== undefined) throw failure;
  const page = Number(NextToken ?? 0);
  const all = answers.get(Filters?.[0]?.Name ?? '') ?? [];
  return {
    InstanceStatuses: all.slice(page, page + 1),
    ...(page + 1 < all.length && { NextToken: `${page + 1}` }),
  };
}

function impaired(instance: string): InstanceStatus {
  const ImpairedSince = new Date(clock.now());
  return { InstanceId: instance, InstanceStatus: { Details: [{ Status: 'failed', ImpairedSince }] } };
}

const unhealthy = (category: string) =>
  cluster.counts.get(`karpenter_interruption_instance_status_unhealthy_total ${category}`) ?? 0;

describe('an instance whose status check fails', () => {
  it('is terminated regardless of budgets after two minutes', async () => {
    cluster.claims.set(claimOf('a'));
    answers.set('instance-status.status', [impaired('i-other'), impaired('i-a')]);
    await pass(seconds(119));
    expect(cluster.writes).toEqual([]);
    await pass(seconds(1));
    expect(cluster.writes).toEqual([
      'patch a {"metadata":{"annotations":{"karpenter.sh/nodeclaim-termination-timestamp":"2026-01-01T00:02:00Z"}}}',
      'delete a',
    ]);
    expect(cluster.events[0]).toBe(
      'NodeClaim a InstanceUnhealthy: An unhealthy warning was triggered for the instance',
    );
    expect(cluster.counts.get('karpenter_nodeclaims_disrupted_total instance_status default spot')).toBe(1);
  });

  it('gets a deadline even if its NodeClaim is being deleted, but keeps an existing one', async () => {
    const metadata = { ...claimOf('a').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const annotations = { 'karpenter.sh/nodeclaim-termination-timestamp': '2026-01-01T00:01:00Z' };
    cluster.claims.set({ ...claimOf('a'), metadata });
    cluster.claims.set({ ...claimOf('b'), metadata: { ...claimOf('b').metadata, annotations } });
    answers.set('instance-status.status', [impaired('i-a'), impaired('i-b')]);
    await pass(minutes(2));
    expect(cluster.writes.map((write) => write.slice(0, 8))).toEqual(['patch a ', 'delete b']);
  });

  it('is counted once until EC2 no longer reports it', async () => {
    cluster.claims.set(claimOf('a'));
    answers.set('instance-status.status', [impaired('i-a')]);
    await pass(minutes(10));
    expect(unhealthy('InstanceStatus')).toBe(1);
    answers.set('instance-status.status', []);
    await pass(minutes(1));
    answers.set('instance-status.status', [impaired('i-a')]);
    await pass(minutes(5));
    expect(unhealthy('InstanceStatus')).toBe(2);
    expect(cluster.logsOf('detected unhealthy instance owned by cluster')).toHaveLength(2);
  });
});

it('drains instances with a scheduled event, with time for their pods', async () => {
  cluster.claims.set(claimOf('a'));
  answers.set('event.code', [{ InstanceId: 'i-a', Events: [{ Code: 'instance-retirement' }] }]);
  await pass(seconds(1));
  expect(cluster.writes).toEqual(['delete a']);
  expect(unhealthy('EventStatus')).toBe(1);
});

it('polls again after a minute', async () => {
  await pass(minutes(3));
  expect(calls).toBe(4 * 3);
});

describe('an error', () => {
  const refused = (code: string) =>
    Object.assign(new Error('no'), { name: 'AwsError', code, operation: 'DescribeInstanceStatus' });

  it('for missing permissions ends the polling with a log line', async () => {
    failure = refused('UnauthorizedOperation');
    await pass(minutes(30));
    expect(calls).toBe(3);
    expect(cluster.logged.map(({ message }) => message)).toEqual([
      'ec2:DescribeInstanceStatus permission is not allowed, update the IAM policy and restart the Karpenter deployment to enable instance status health checks',
    ]);
  });

  it('of another kind is retried', async () => {
    cluster.claims.set(claimOf('a'));
    answers.set('event.code', [{ InstanceId: 'i-a', Events: [{ Code: 'instance-stop' }] }]);
    failure = refused('RequestLimitExceeded');
    await pass(seconds(1));
    failure = undefined;
    await pass(minutes(2));
    expect(cluster.writes).toEqual(['delete a']);
  });
});
