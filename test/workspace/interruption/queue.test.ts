import {
  InterruptionController,
  InterruptionHandler,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import { seconds } from '@karpenter/core/api';
import { runSingleton } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, MemoryCluster, nodeOf } from './memory-cluster.ts';
import { MemoryQueue } from './memory-queue.ts';
import { messageBody, type messageTypes } from './messages.ts';

let clock: VirtualClock;
let cluster: MemoryCluster;
let queue: MemoryQueue;
let unavailable: UnavailableOfferings;
let reservations: ReservationCounts;
let running: AbortController;

beforeEach(() => {
  clock = new VirtualClock();
  cluster = new MemoryCluster(clock);
  queue = new MemoryQueue(clock);
  unavailable = new UnavailableOfferings({ now: () => clock.now() });
  reservations = new ReservationCounts(() => clock.now());
  running = new AbortController();
});

afterEach(() => running.abort());

/** Runs the controller for the given time. */
async function run(time = seconds(1)): Promise<void> {
  const { counters, log } = cluster;
  const handler = new InterruptionHandler({ cluster: cluster.interrupted, unavailable, reservations, log });
  const controller = new InterruptionController({
    sqs: queue,
    queueName: 'test',
    handler,
    clock,
    counters,
    log,
  });
  void runSingleton(controller, { clock, signal: running.signal });
  await clock.advance(time);
}

function send(type: keyof typeof messageTypes, instance: string, id = `${type} ${instance}`): void {
  queue.send(messageBody(type, { instance, id, time: clock.now() - seconds(3) }));
}

const spot = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' } as const;

describe('a message about an instance of the cluster', () => {
  it.each([
    ['spot', 'SpotInterrupted: Spot interruption warning was triggered', 'spot_interrupted'],
    [
      'reservation',
      'CapacityReservationInstanceInterrupted: Capacity Reservation interruption warning was triggered',
      'capacity_reservation_interrupted',
    ],
    ['stopping', 'InstanceStopping: Instance is stopping', 'instance_stopped'],
    ['terminated', 'InstanceTerminating: Instance is terminating', 'instance_terminated'],
    ['health', 'InstanceUnhealthy: An unhealthy warning was triggered for the instance', 'scheduled_change'],
  ] as const)('of type %s deletes its NodeClaim and says so', async (type, event, reason) => {
    cluster.claims.set(claimOf('a'));
    cluster.nodes.set(nodeOf('a'));
    send(type, 'i-a');
    await run();
    expect(cluster.writes).toEqual(['delete a']);
    expect(cluster.events).toEqual([
      `NodeClaim a ${event}`,
      `Node node-a ${event}`,
      'NodeClaim a TerminatingOnInterruption: Interruption triggered termination for the NodeClaim',
      'Node node-a TerminatingOnInterruption: Interruption triggered termination for the Node',
    ]);
    expect(queue.length).toBe(0);
    expect(Object.fromEntries(cluster.counts)).toEqual({
      [`karpenter_interruption_received_messages_total ${reason}`]: 1,
      karpenter_interruption_deleted_messages_total: 1,
      [`karpenter_nodeclaims_disrupted_total ${reason} default spot`]: 1,
    });
    expect(cluster.observed).toEqual([3]);
  });

  it('that recommends a rebalance changes nothing by default', async () => {
    cluster.claims.set(claimOf('a'));
    send('rebalance', 'i-a');
    await run();
    expect(cluster.writes).toEqual([]);
    expect(cluster.events).toEqual([
      'NodeClaim a SpotRebalanceRecommendation: Spot rebalance recommendation was triggered',
    ]);
    expect(queue.length).toBe(0);
    expect(unavailable.isUnavailable(spot)).toBe(false);
  });

  it('publishes an event only on the NodeClaim while there is no Node', async () => {
    cluster.claims.set(claimOf('a'));
    send('spot', 'i-a');
    await run();
    expect(cluster.events).toHaveLength(2);
  });

  it('makes the offering of an interrupted spot instance unavailable', async () => {
    cluster.claims.set(claimOf('a', { 'karpenter.k8s.aws/placement-group-id': 'pg-1' }));
    send('spot', 'i-a');
    await run();
    expect(unavailable.isUnavailable(spot)).toBe(true);
    expect(unavailable.isUnavailable({ ...spot, capacityType: 'on-demand' })).toBe(false);
  });

  it('makes a reservation unavailable that reclaims instances', async () => {
    reservations.read(new Map([['cr-1', 5]]));
    cluster.claims.set(claimOf('a', { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-1' }));
    send('reservation', 'i-a');
    await run();
    expect(reservations.free('cr-1')).toBe(0);
    expect(cluster.logsOf('marking capacity reservation unavailable')).toHaveLength(1);
  });

  it('needs nothing if the NodeClaim is already being deleted', async () => {
    const claim = claimOf('a');
    cluster.claims.set({
      ...claim,
      metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    send('stopping', 'i-a');
    await run();
    expect(cluster.writes).toEqual([]);
    expect(queue.length).toBe(0);
  });
});

describe('a message that needs nothing', () => {
  it('is deleted silently if the instance is not ours', async () => {
    send('spot', 'i-b');
    await run();
    expect(queue.length).toBe(0);
    expect(cluster.events).toEqual([]);
    expect(cluster.logsOf('failed parsing interruption message')).toEqual([]);
  });

  it.each([
    ['has no body', undefined],
    ['is not JSON', '{"version": "0"'],
  ])('is deleted with a log line when it %s', async (_, body) => {
    queue.send(body);
    await run();
    expect(queue.length).toBe(0);
    expect(cluster.logsOf('failed parsing interruption message')).toHaveLength(1);
    expect(Object.fromEntries(cluster.counts)).toEqual({ karpenter_interruption_deleted_messages_total: 1 });
  });

  it('counts as received, but not in the latency', async () => {
    send('running', 'i-a');
    await run();
    expect(cluster.counts.get('karpenter_interruption_received_messages_total no_op')).toBe(1);
    expect(cluster.observed).toEqual([]);
    expect(queue.length).toBe(0);
  });
});

describe('trouble', () => {
  it('keeps a failed message on the queue until it succeeds, and handles the others', async () => {
    for (const name of ['a', 'b']) cluster.claims.set(claimOf(name));
    cluster.refusals.set('a', 2);
    for (const name of ['a', 'b']) send('spot', `i-${name}`);
    await run();
    expect(cluster.writes).toEqual(['delete b']);
    expect(queue.length).toBe(1);
    await clock.advance(seconds(45));
    expect(cluster.writes).toEqual(['delete b', 'delete a']);
    expect(queue.length).toBe(0);
  });

  it('handles duplicates once, even while the first is in progress', async () => {
    cluster.claims.set(claimOf('a'));
    for (let i = 0; i < 3; i++) send('spot', 'i-a', 'the same');
    await run();
    send('spot', 'i-a', 'the same');
    send('terminated', 'i-a', 'another, before the cache shows the deletion');
    await clock.advance(seconds(30));
    expect(cluster.writes).toEqual(['delete a']);
    expect(cluster.counts.get('karpenter_nodeclaims_disrupted_total spot_interrupted default spot')).toBe(1);
    expect(queue.length).toBe(0);
  });

  it('does not repeat a handled message that could not be deleted', async () => {
    cluster.claims.set(claimOf('a'));
    queue.failingDeletions = 1;
    send('spot', 'i-a');
    await run(seconds(60));
    expect(queue.length).toBe(0);
    expect(cluster.writes).toEqual(['delete a']);
    expect(cluster.events).toHaveLength(2);
  });

  it('waits for a queue that does not exist yet', async () => {
    queue.exists = false;
    cluster.claims.set(claimOf('a'));
    send('spot', 'i-a');
    await run(seconds(60));
    expect(queue.length).toBe(1);
    queue.exists = true;
    await clock.advance(seconds(1200));
    expect(cluster.writes).toEqual(['delete a']);
    expect(cluster.logsOf('watching interruption queue')).toHaveLength(1);
  });
});
