import type { LogFields } from '@karpenter/core/ports';
import { VirtualClock } from '@karpenter/testkit/clock';
import { expect, it } from 'vitest';
import { SyncWait } from './sync-wait.ts';

it('logs an error after 30 s without a synced state, and every 10 s from then on', async () => {
  const clock = new VirtualClock(0);
  const complaints: unknown[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    error: (message: string, fields?: LogFields) => complaints.push([message, fields?.['duration']]),
  };
  const cluster = { synced: false };
  const wait = new SyncWait({ cluster, clock, log });
  for (let second = 0; second < 50; second += 1) {
    expect(wait.isOver()).toBe(false);
    await clock.advance(1000);
  }
  const message = 'cluster is waiting on sync for extended duration';
  expect(complaints).toEqual([
    [message, '30s'],
    [message, '40s'],
  ]);
  cluster.synced = true;
  expect(wait.isOver()).toBe(true);
  expect(complaints).toHaveLength(2);
});
