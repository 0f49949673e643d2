import { expect } from 'vitest';
import { running } from './pods.ts';
import type { World } from './world.ts';

const hourMs = 3_600_000;

/** Nothing is moved in office hours; after them, one node at a time. */
export async function scheduledBudget(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('07-budgets/nodepool.yaml');
  await world.apply('07-budgets/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(20);
  await passUntil(world, 10);
  const before = (await world.nodeClaims()).length;
  await world.scale('web', 4);
  await world.pass(10 * 60_000);
  expect(await world.nodeClaims()).toHaveLength(before);
  const blocked = await world.events('DisruptionBlocked');
  expect(blocked.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('due to blocking budget'),
  );

  await passUntil(world, 17);
  let mostLeaving = 0;
  await world
    .eventually(async () => {
      const claims = await world.nodeClaims();
      const leaving = claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      mostLeaving = Math.max(mostLeaving, leaving.length);
      return claims.length;
    })
    .toBeLessThanOrEqual(2);
  expect(mostLeaving).toBe(1);
}

/** The clock of the walkthrough starts at midnight before a working day. */
async function passUntil(world: World, hour: number): Promise<void> {
  const now = new Date(world.now());
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + hour * hourMs;
  await world.pass(Math.max(0, then - world.now()));
}
