import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { homesOf, running } from './pods.ts';
import type { PageWorld } from './world.ts';

const architecture = 'kubernetes.io/arch';

/** Each pod runs on an architecture that it supports; a pod that supports both runs on the cheaper one. */
export async function graviton(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 4);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'legacy')).toBe(3);
  await world.eventually(() => running(world, 'native')).toBe(3);
  await world.eventually(() => running(world, 'anywhere')).toBe(12);
  await page.next();
  page.end();
  expect(await homesOf(world, 'legacy', architecture)).toEqual(['amd64']);
  expect(await homesOf(world, 'native', architecture)).toEqual(['arm64']);
  expect(await homesOf(world, 'anywhere', architecture)).toContain('arm64');
}
