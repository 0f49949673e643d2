import { expect } from 'vitest';
import { homesOf, running } from './pods.ts';
import type { World } from './world.ts';

const architecture = 'kubernetes.io/arch';

/** Each pod runs on an architecture that it supports; a pod that supports both runs on the cheaper one. */
export async function graviton(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('04-graviton/nodepool.yaml');
  await world.apply('04-graviton/apps.yaml');
  await world.eventually(() => running(world, 'legacy')).toBe(3);
  await world.eventually(() => running(world, 'native')).toBe(3);
  await world.eventually(() => running(world, 'anywhere')).toBe(12);
  expect(await homesOf(world, 'legacy', architecture)).toEqual(['amd64']);
  expect(await homesOf(world, 'native', architecture)).toEqual(['arm64']);
  expect(await homesOf(world, 'anywhere', architecture)).toContain('arm64');
}
