import { kinds } from '@karpenter/kube/client';
import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { countBy } from './pods.ts';
import type { PageWorld } from './world.ts';

/** A NodePool for one team: its pods run there, and pods of others wait for a NodePool that accepts them. */
export async function dedicatedPool(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 9);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  const ours = async () => (await world.client.list(kinds.pod, { namespace: 'team-a' })).items;
  await world
    .eventually(async () => countBy(await ours(), ({ status }) => status?.phase ?? ''))
    .toEqual({ Running: 3 });
  await world.pass(30_000);
  expect(countBy(await world.pods('strangers'), ({ status }) => status?.phase ?? '')).toEqual({ Pending: 3 });
  const nodes = await world.nodes();
  expect(nodes.map(({ metadata }) => metadata?.labels?.['team'])).toEqual(nodes.map(() => 'a'));

  await page.next();
  await page.next();
  page.end();
  await world
    .eventually(async () => countBy(await world.pods('strangers'), ({ status }) => status?.phase ?? ''))
    .toEqual({ Running: 3 });
}
