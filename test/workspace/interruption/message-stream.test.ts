import {
  InterruptionController,
  InterruptionHandler,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import { hours, seconds } from '@karpenter/core/api';
import { runSingleton } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimOf, MemoryCluster } from './memory-cluster.ts';
import { MemoryQueue } from './memory-queue.ts';
import { type MessageType, messageBody } from './messages.ts';

interface Sent {
  /** Undefined for a malformed message. */
  readonly type: MessageType | undefined;
  /** A negative number is an instance of another cluster. */
  readonly instance: number;
  readonly copies: number;
}

const deleting: readonly (MessageType | undefined)[] = [
  'spot',
  'reservation',
  'stopping',
  'terminated',
  'health',
];
const instances = 20;

const stream = fc.record({
  messages: fc.array(
    fc.record({
      type: fc.constantFrom<(MessageType | undefined)[]>(
        'spot',
        'rebalance',
        'reservation',
        'stopping',
        'terminated',
        'running',
        'health',
        undefined,
      ),
      instance: fc.integer({ min: -3, max: instances - 1 }),
      copies: fc.constantFrom(1, 1, 1, 2, 3),
    }),
    { maxLength: 60 },
  ),
  /** The server rejects the first writes of these objects so many times. */
  refusals: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: instances, maxLength: instances }),
});

/** Sends everything in the given order and runs the controller until the queue is empty, or for hours. */
async function handled(
  messages: readonly Sent[],
  refusals: readonly number[],
  claims: number,
): Promise<MemoryCluster> {
  const clock = new VirtualClock();
  const cluster = new MemoryCluster(clock);
  const queue = new MemoryQueue(clock);
  const now = () => clock.now();
  for (let i = 0; i < claims; i++) cluster.claims.set(claimOf(String(i)));
  for (const [name, times] of refusals.entries()) cluster.refusals.set(String(name), times);
  for (const [index, sent] of messages.entries()) send(queue, sent, { id: `event-${index}`, time: now() });
  const { counters, log } = cluster;
  const handler = new InterruptionHandler({
    cluster: cluster.interrupted,
    unavailable: new UnavailableOfferings({ now }),
    reservations: new ReservationCounts(now),
    log,
  });
  const controller = new InterruptionController({
    sqs: queue,
    queueName: 'q',
    handler,
    clock,
    counters,
    log,
  });
  const running = new AbortController();
  void runSingleton(controller, { clock, signal: running.signal });
  const end = now() + hours(3);
  while (queue.length > 0 && now() < end) await clock.advance(seconds(30));
  running.abort();
  expect(queue.length).toBe(0);
  return cluster;
}

function send(
  queue: MemoryQueue,
  { type, instance, copies }: Sent,
  facts: { id: string; time: number },
): void {
  const whole = messageBody(type ?? 'spot', { instance: `i-${instance < 0 ? 'other' : instance}`, ...facts });
  const body = type === undefined ? whole.slice(0, -1) : whole;
  for (let copy = 0; copy < copies; copy++) queue.send(body);
}

function expectEachActedOnOnce(cluster: MemoryCluster, messages: readonly Sent[]): void {
  const doomed = messages.filter(({ type, instance }) => instance >= 0 && deleting.includes(type));
  const names = new Set(doomed.map(({ instance }) => `delete ${instance}`));
  expect([...cluster.writes].sort()).toEqual([...names].sort());
  const total = (part: string) =>
    [...cluster.counts].reduce((sum, [series, count]) => (series.startsWith(part) ? sum + count : sum), 0);
  const copiesOf = (some: readonly Sent[]) => some.reduce((sum, { copies }) => sum + copies, 0);
  expect(total('karpenter_nodeclaims_disrupted_total')).toBe(names.size);
  expect(total('karpenter_interruption_deleted_messages_total')).toBe(copiesOf(messages));
  expect(cluster.logsOf('failed parsing interruption message')).toHaveLength(
    copiesOf(messages.filter(({ type }) => type === undefined)),
  );
  const rebalances = messages.filter(({ type, instance }) => type === 'rebalance' && instance >= 0);
  expect(cluster.events.filter((event) => event.includes('SpotRebalance'))).toHaveLength(rebalances.length);
}

it('handles each message of any stream once, despite malformed, duplicate and failing ones', async () => {
  await fc.assert(
    fc.asyncProperty(stream, async ({ messages, refusals }) => {
      expectEachActedOnOnce(await handled(messages, refusals, instances), messages);
    }),
    { numRuns: 60 },
  );
});

it('handles ten thousand messages of all kinds, one in twenty malformed and one in twenty delivered twice', async () => {
  const types: readonly MessageType[] = [
    'spot',
    'rebalance',
    'reservation',
    'stopping',
    'terminated',
    'running',
    'health',
  ];
  const messages = Array.from({ length: 10_000 }, (_, index): Sent => {
    const type = index % 20 === 7 ? undefined : types[index % types.length];
    return { type, instance: index % 10 === 3 ? -1 : index, copies: index % 20 === 11 ? 2 : 1 };
  });
  expectEachActedOnOnce(await handled(messages, [], 10_000), messages);
});
