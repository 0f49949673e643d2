import { expect } from 'vitest';
import { countBy, homesOf, running, runningPods } from './pods.ts';
import type { World } from './world.ts';

/** New images: every node is replaced, no zone is left and no budget broken. */
export async function driftToNewImage(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('01-first-node/nodepool.yaml');
  await world.apply('05-drift/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(6);
  const before = new Set((await world.nodeClaims()).map(({ status }) => status?.imageID));
  expect(before.size).toBe(1);

  world.cloud.releaseImages();
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
