import { expect } from 'vitest';
import { running } from './pods.ts';
import type { CloudWorld } from './world.ts';

/** EC2 reclaims a spot instance: its pods run elsewhere before it terminates. */
export async function spotInterruption(world: CloudWorld): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('06-interruption/nodepool.yaml');
  await world.apply('06-interruption/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(6);
  const [victim] = await world.nodeClaims();
  const id = victim?.status?.providerID?.split('/').at(-1) ?? '';
  expect(world.cloud.interrupt(id)).toBe(true);
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
