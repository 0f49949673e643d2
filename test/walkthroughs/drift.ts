import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { countBy, homesOf, running, runningPods } from './pods.ts';
import type { PageWorld } from './world.ts';

/** New images: every node is replaced, no zone is left empty, and no PodDisruptionBudget is violated. */
export async function driftToNewImage(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 5);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(6);
  const before = new Set((await world.nodeClaims()).map(({ status }) => status?.imageID));
  expect(before.size).toBe(1);

  await page.next();
  await page.next();
  page.end();
  let fewest = 6;
  await world
    .eventually(async () => {
      fewest = Math.min(fewest, await running(world, 'web'));
      const claims = await world.nodeClaims();
      return claims.length > 0 && claims.every(({ status }) => !before.has(status?.imageID));
    })
    .toBe(true);
  await world.eventually(() => running(world, 'web')).toBe(6);
  expect(fewest).toBeGreaterThanOrEqual(5);
  expect(await homesOf(world, 'web', 'topology.kubernetes.io/zone')).toHaveLength(3);
  const perNode = countBy(await runningPods(world, 'web'), ({ spec }) => spec?.nodeName ?? '');
  expect(Object.keys(perNode).length).toBeGreaterThanOrEqual(3);
}
