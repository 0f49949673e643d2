import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld, World } from './world.ts';

const minuteMs = 60_000;

/**
 * A node expires even with do-not-disrupt pods, but keeps them until its termination grace period is over.
 */
export async function expiry(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 8);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'stubborn')).toBe(2);
  const [old] = await world.nodeClaims();
  const name = old?.metadata.name;

  const createdAt = Date.parse(String(old?.metadata.creationTimestamp));
  await world.pass(createdAt + 2.5 * minuteMs - world.now());
  expect((await claimNamed(world, name))?.metadata.deletionTimestamp).toBeUndefined();
  await world
    .eventually(async () => (await claimNamed(world, name))?.metadata.deletionTimestamp)
    .toBeDefined();
  await page.next();
  page.end();
  await world.pass(minuteMs);
  expect(await claimNamed(world, name)).toBeDefined();
  await world.eventually(() => claimNamed(world, name)).toBeUndefined();
  await world.eventually(() => running(world, 'stubborn')).toBe(2);
  expect(await world.events('TerminationGracePeriodExpiring')).not.toEqual([]);
}

async function claimNamed(world: World, name: string | undefined) {
  return (await world.nodeClaims()).find(({ metadata }) => metadata.name === name);
}
