import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld, World } from './world.ts';

/** From no pods to a hundred, to ten, and back to none. */
export async function firstNode(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 1);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();

  await page.next();
  await world.eventually(() => running(world, 'inflate')).toBe(100);
  const claims = await world.nodeClaims();
  expect(claims.length).toBeGreaterThan(0);

  await page.next();
  await world.eventually(() => running(world, 'inflate')).toBe(10);
  await world.eventually(async () => (await capacity(world)) <= 16).toBe(true);
  expect(await running(world, 'inflate')).toBe(10);

  await page.next();
  page.end();
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
  expect(await world.nodes()).toEqual([]);
}

/** CPUs of all nodes of Karpenter. */
async function capacity(world: World): Promise<number> {
  const nodes = await world.nodes();
  return nodes.reduce((sum, { status }) => sum + Number(status?.capacity?.['cpu'] ?? 0), 0);
}
