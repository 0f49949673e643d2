import { expect } from 'vitest';
import { running } from './pods.ts';
import type { World } from './world.ts';

/** From no pods to a hundred, to ten, and back to none. */
export async function firstNode(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('01-first-node/nodepool.yaml');
  await world.apply('01-first-node/inflate.yaml');

  await world.scale('inflate', 100);
  await world.eventually(() => running(world, 'inflate')).toBe(100);
  const claims = await world.nodeClaims();
  expect(claims.length).toBeGreaterThan(0);

  await world.scale('inflate', 10);
  await world.eventually(() => running(world, 'inflate')).toBe(10);
  await world.eventually(async () => (await capacity(world)) <= 16).toBe(true);
  expect(await running(world, 'inflate')).toBe(10);

  await world.scale('inflate', 0);
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
  expect(await world.nodes()).toEqual([]);
}

/** CPUs of all nodes of Karpenter. */
async function capacity(world: World): Promise<number> {
  const nodes = await world.nodes();
  return nodes.reduce((sum, { status }) => sum + Number(status?.capacity?.['cpu'] ?? 0), 0);
}
