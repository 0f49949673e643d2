import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { countBy, running } from './pods.ts';
import type { PageWorld, World } from './world.ts';

/** GPUs for pods that request them, up to a limit. */
export async function gpuPool(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 3);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'train')).toBe(4);
  await world.pass(60_000);
  const pods = await world.pods('train');
  expect(countBy(pods, ({ status }) => status?.phase ?? '')).toEqual({ Running: 4, Pending: 2 });
  const nodes = await world.nodes();
  const gpus = nodes.reduce((sum, { status }) => sum + Number(status?.capacity?.['nvidia.com/gpu'] ?? 0), 0);
  expect(gpus).toBe(4);
  expect(nodes.every(({ spec }) => spec?.taints?.some(({ key }) => key === 'nvidia.com/gpu'))).toBe(true);
  const [failure] = await world.events('FailedScheduling');
  expect(failure).toBeDefined();
  expect(await refusals(world)).toContainEqual(expect.stringContaining('exceed limits'));
  await page.next();
  await page.next();
  await world.eventually(() => running(world, 'train')).toBe(6);
  page.end();
}

async function refusals(world: World): Promise<readonly string[]> {
  const events = await world.events('FailedScheduling');
  return events.filter(({ source }) => source?.component === 'karpenter').map(({ message }) => message ?? '');
}
