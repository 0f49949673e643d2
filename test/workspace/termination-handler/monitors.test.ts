import {
  asgLifecycleMonitor,
  type Monitor,
  rebalanceMonitor,
  runMonitor,
  scheduledEventMonitor,
  spotInterruptionMonitor,
  type TerminationEvent,
} from '@karpenter/termination-handler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { happens, type MetadataWorld, startMetadataWorld } from './metadata-world.ts';

let world: MetadataWorld;
let stopped: AbortController;
let polls: (readonly TerminationEvent[] | Error)[];
let ended: Promise<unknown>;
let hasEnded: boolean;

beforeEach(async () => {
  world = await startMetadataWorld({ tries: 1 });
  stopped = new AbortController();
  polls = [];
  hasEnded = false;
});
afterEach(async () => {
  stopped.abort();
  await ended;
  await world.service.stop();
});

const monitors: readonly (readonly [Monitor['name'], Monitor])[] = [
  spotInterruptionMonitor,
  scheduledEventMonitor,
  rebalanceMonitor,
  asgLifecycleMonitor(() => world.clock.now()),
].map((monitor) => [monitor.name, monitor]);

function run(monitor: Monitor): void {
  const { client, clock } = world;
  ended = runMonitor({
    monitor,
    metadata: client,
    clock,
    signal: stopped.signal,
    onEvents: (events) => polls.push(events),
    onError: (error) => polls.push(error as Error),
  })
    .catch((error: unknown) => error)
    .finally(() => {
      hasEnded = true;
    });
}

/** The result of the next poll. */
async function next(): Promise<readonly TerminationEvent[] | Error | undefined> {
  const count = polls.length;
  if (count > 0) await world.clock.advance(2_000);
  await happens(() => polls.length > count || hasEnded);
  return polls[count];
}

const announce = (at: number) =>
  world.change({
    spotAction: { action: 'terminate', at },
    rebalanceNoticeAt: at,
    targetLifecycleState: 'Terminated',
    maintenance: [
      {
        id: 'instance-event-1',
        code: 'system-reboot',
        description: 'scheduled reboot',
        state: 'active',
        notBefore: at,
      },
    ],
  });

describe.each(monitors)('%s', (_, monitor) => {
  it('sees nothing, then one event with the same ID at every poll', async () => {
    run(monitor);
    expect(await next()).toEqual([]);
    announce(world.clock.now() + 120_000);
    const first = await next();
    expect(first).toMatchObject([{ monitor: monitor.name }]);
    const again = await next();
    const idsOf = (result: typeof first) => (Array.isArray(result) ? result.map(({ id }) => id) : undefined);
    expect(idsOf(again)).toEqual(idsOf(first));
  });

  it('goes on over tokens that expire or are revoked', async () => {
    announce(world.clock.now());
    run(monitor);
    expect(await next()).toHaveLength(1);
    world.service.tokens.revokeAll();
    expect(await next()).toHaveLength(1);
    await world.clock.leap(3_700_000);
    await happens(() => polls.length > 2);
    expect(polls.at(-1)).toHaveLength(1);
  });

  it('counts a 404 as nothing announced', async () => {
    announce(world.clock.now());
    world.service.faults.set({ path: monitor.path, status: 404 });
    run(monitor);
    expect(await next()).toEqual([]);
  });

  it('ends at the fourth equal error in a row', async () => {
    world.service.faults.set({ path: monitor.path, status: 500 });
    run(monitor);
    for (let times = 0; times < 4; times += 1) expect(await next()).toBeInstanceOf(Error);
    expect(await ended).toMatchObject({ code: 'monitor-failed' });
    expect(String(await ended)).toMatch(/failed 4 times in a row: .* status 500/);
  });

  it('goes on when a success comes between equal errors', async () => {
    run(monitor);
    for (let round = 0; round < 3; round += 1) {
      world.service.faults.set({ path: monitor.path, status: 500, times: 3 });
      for (let times = 0; times < 3; times += 1) expect(await next()).toBeInstanceOf(Error);
      expect(await next()).toEqual([]);
    }
  });

  it('treats an answer that takes too long as an error and recovers', async () => {
    run(monitor);
    await next();
    world.service.faults.set({ path: monitor.path, delay: 60_000, times: 1 });
    const requests = world.service.requests.length;
    await world.clock.advance(2_000);
    await happens(() => world.service.requests.length > requests);
    await world.clock.advance(2_000);
    await happens(() => polls.length === 2);
    expect(polls.at(-1)).toMatchObject({ code: 'metadata-unreachable' });
    expect(await next()).toEqual([]);
  });
});

describe('a malformed answer', () => {
  const malformed = [
    '',
    '{',
    'null',
    '7',
    '[]',
    '{}',
    '{"action":"terminate"}',
    '{"time":"soon","action":"x"}',
  ];

  it.each(malformed)('of %j is an error of the spot monitor', async (body) => {
    world.service.faults.set({ path: spotInterruptionMonitor.path, body });
    run(spotInterruptionMonitor);
    expect(await next()).toMatchObject({ code: 'metadata-unexpected' });
  });

  it.each(['', '[', '{}', '{"noticeTime":7}', '{"noticeTime":"never"}'])(
    'of %j is an error of the rebalance monitor',
    async (body) => {
      world.service.faults.set({ path: rebalanceMonitor.path, body });
      run(rebalanceMonitor);
      expect(await next()).toMatchObject({ code: 'metadata-unexpected' });
    },
  );

  it.each([
    '',
    '{}',
    '[7]',
    '[{"State":"active"}]',
    '[{"State":"active","Code":"x","EventId":"e","NotBefore":"?"}]',
  ])('of %j is an error of the scheduled event monitor', async (body) => {
    world.service.faults.set({ path: scheduledEventMonitor.path, body });
    run(scheduledEventMonitor);
    expect(await next()).toMatchObject({ code: 'metadata-unexpected' });
  });

  it.each(['', 'InService', '<html>', 'terminated'])('of %j is no event of the ASG monitor', async (body) => {
    const monitor = asgLifecycleMonitor(() => 0);
    world.service.faults.set({ path: monitor.path, body });
    run(monitor);
    expect(await next()).toEqual([]);
  });
});

describe('a scheduled event', () => {
  const event = { id: 'instance-event-1', code: 'instance-stop', description: 'degraded hardware' };

  it('starts at its NotBefore, not at its announcement', async () => {
    const notBefore = world.clock.now() + 14 * 86_400_000;
    const notAfter = notBefore + 7_200_000;
    world.change({ maintenance: [{ ...event, state: 'active', notBefore, notAfter }] });
    run(scheduledEventMonitor);
    expect(await next()).toEqual([
      {
        id: 'instance-event-1',
        monitor: 'SCHEDULED_EVENT_MONITOR',
        description:
          'instance-stop will occur between 2026-01-15T00:00:00.000Z and 2026-01-15T02:00:00.000Z because degraded hardware',
        state: 'active',
        code: 'instance-stop',
        startTime: notBefore,
        endTime: notAfter,
      },
    ]);
  });

  it.each(['completed', 'canceled'] as const)('that is %s is not announced any more', async (state) => {
    world.change({ maintenance: [{ ...event, state, notBefore: world.clock.now() }] });
    run(scheduledEventMonitor);
    expect(await next()).toEqual([]);
  });
});

it('has another ID for a spot interruption at another time', async () => {
  const ids = [0, 1_000].map((later) => {
    const time = new Date(world.clock.now() + later).toISOString();
    return spotInterruptionMonitor.parse(JSON.stringify({ action: 'stop', time }))[0]?.id;
  });
  expect(new Set(ids).size).toBe(2);
  ended = Promise.resolve();
});
