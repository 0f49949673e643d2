import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { nodesBy, running } from './pods.ts';
import type { PageWorld } from './world.ts';

const capacityType = 'karpenter.sh/capacity-type';

/** Spot while it is available, on-demand while it is not, and spot again. */
export async function spotFallback(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 2);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(8);
  await world.eventually(async () => Object.keys(await nodesBy(world, capacityType))).toEqual(['spot']);

  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(40);
  await world
    .eventually(async () => Object.keys(await nodesBy(world, capacityType)))
    .toEqual(expect.arrayContaining(['on-demand']));

  await page.next();
  page.end();
  await world.eventually(async () => Object.keys(await nodesBy(world, capacityType))).toEqual(['spot']);
  await world.eventually(() => running(world, 'web')).toBe(40);
}
