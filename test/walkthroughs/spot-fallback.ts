import { expect } from 'vitest';
import { nodesBy, running } from './pods.ts';
import type { CloudWorld } from './world.ts';

const capacityType = 'karpenter.sh/capacity-type';
const noSpot = [{ types: '*', zones: '*', capacityTypes: 'spot', depth: 0 }];

/** Spot while it is available, on-demand while it is not, and spot again. */
export async function spotFallback(world: CloudWorld): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('02-spot-fallback/nodepools.yaml');
  await world.apply('02-spot-fallback/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(8);
  await world.eventually(async () => Object.keys(await nodesBy(world, capacityType))).toEqual(['spot']);

  world.cloud.faults.set({ capacity: noSpot });
  await world.scale('web', 40);
  await world.eventually(() => running(world, 'web')).toBe(40);
  await world
    .eventually(async () => Object.keys(await nodesBy(world, capacityType)))
    .toEqual(expect.arrayContaining(['on-demand']));

  world.cloud.faults.set({ capacity: [] });
  await world.eventually(async () => Object.keys(await nodesBy(world, capacityType))).toEqual(['spot']);
  await world.eventually(() => running(world, 'web')).toBe(40);
}
