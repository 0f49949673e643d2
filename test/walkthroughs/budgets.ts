import type { NodeClaim } from '@karpenter/core/api';
import { expect } from 'vitest';
import { running } from './pods.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;

/** In the window of the walkthrough, which ends at half past nine: every minute of a cluster takes real time. */
export const inBudgetWindow = Date.UTC(2026, 0, 1, 9, 23);

/** No node is disrupted during a scheduled budget of zero, and afterwards one at a time. Starts in the window. */
export async function scheduledBudget(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('07-budgets/nodepool.yaml');
  await world.apply('07-budgets/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(20);
  const before = (await world.nodeClaims()).length;
  await world.scale('web', 4);
  await world.pass(3 * minuteMs);
  expect(await world.nodeClaims()).toHaveLength(before);
  const blocked = await world.events('DisruptionBlocked');
  expect(blocked.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('due to blocking budget'),
  );

  await passUntil(world, 9, 30);
  let mostLeaving = 0;
  await world
    .eventually(async () => {
      const claims = await world.nodeClaims();
      const leaving = claims.filter(isLeaving);
      mostLeaving = Math.max(mostLeaving, leaving.length);
      return claims.length;
    })
    .toBeLessThanOrEqual(2);
  expect(mostLeaving).toBe(1);
}

/** An instance that is already terminating does not count against the budget. */
function isLeaving({ metadata, status }: NodeClaim): boolean {
  const isOff = status?.conditions?.some(({ type }) => type === 'InstanceTerminating');
  return metadata.deletionTimestamp !== undefined && isOff !== true;
}

/** Advances to a time of day. */
async function passUntil(world: World, hour: number, minute: number): Promise<void> {
  const now = new Date(world.now());
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  await world.pass(Math.max(0, midnight + (hour * 60 + minute) * minuteMs - world.now()));
}
