import type { NodeClaim } from '@karpenter/core/api';
import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld } from './world.ts';

const minuteMs = 60_000;

/** No node is disrupted during a scheduled budget of zero, and afterwards one at a time. */
export async function scheduledBudget(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 7);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(20);
  const before = (await world.nodeClaims()).length;
  const begin = world.now();
  await page.next();
  await world.pass(2 * minuteMs);
  expect(await world.nodeClaims()).toHaveLength(before);
  const blocked = await world.events('DisruptionBlocked');
  expect(blocked.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('due to blocking budget'),
  );

  await page.next();
  page.end();
  await world.pass(Math.max(0, begin + 5 * minuteMs - world.now()));
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
