import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld } from './world.ts';

/** EC2 reclaims a spot instance: its pods run elsewhere before it terminates. */
export async function spotInterruption(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 6);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(6);
  const [victim] = await world.nodeClaims();
  await page.next({ NODE: victim?.status?.nodeName ?? '' });
  page.end();
  let fewest = 6;
  await world
    .eventually(async () => {
      fewest = Math.min(fewest, await running(world, 'web'));
      return (await world.nodeClaims()).some(({ metadata }) => metadata.name === victim?.metadata.name);
    })
    .toBe(false);
  await world.eventually(() => running(world, 'web')).toBe(6);
  expect(fewest).toBeGreaterThanOrEqual(4);
  expect(await world.events('SpotInterrupted')).not.toEqual([]);
  expect(world.log).toContainEqual(
    expect.objectContaining({ message: 'initiating delete from interruption message' }),
  );
}
