import { expect } from 'vitest';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld } from './world.ts';

/**
 * A PodDisruptionBudget that allows nothing blocks a drain; events say so, and fixing the budget completes
 * it.
 */
export async function stuckDrain(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 10);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'critical')).toBe(2);
  const [held] = await world.nodeClaims();
  const name = held?.metadata.name ?? '';
  await page.next({ NAME: name });
  await world.pass(120_000);
  expect((await world.nodeClaims()).map(({ metadata }) => metadata.name)).toContain(name);
  expect(await running(world, 'critical')).toBe(2);
  const messages = (await world.events('FailedDraining')).map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^Failed to drain node, (evicting pod violates a PDB|\d+ pods are waiting).*\(PodDisruptionBudget=\[default\/critical\]\)$/,
    ),
  );

  await page.next();
  await page.next();
  page.end();
  await world
    .eventually(async () => (await world.nodeClaims()).map(({ metadata }) => metadata.name))
    .not.toContain(name);
  await world.eventually(() => running(world, 'critical')).toBe(2);
}
