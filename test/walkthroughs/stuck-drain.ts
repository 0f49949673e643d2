import { nodeClaims } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { expect } from 'vitest';
import { running } from './pods.ts';
import type { World } from './world.ts';

/**
 * A PodDisruptionBudget that allows nothing blocks a drain; events say so, and fixing the budget completes
 * it.
 */
export async function stuckDrain(world: World): Promise<void> {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('01-first-node/nodepool.yaml');
  await world.apply('10-stuck-drain/critical.yaml');
  await world.eventually(() => running(world, 'critical')).toBe(2);
  const [held] = await world.nodeClaims();
  const name = held?.metadata.name ?? '';
  await world.client.delete(nodeClaims, { name });
  await world.pass(120_000);
  expect((await world.nodeClaims()).map(({ metadata }) => metadata.name)).toContain(name);
  expect(await running(world, 'critical')).toBe(2);
  const messages = (await world.events('FailedDraining')).map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^Failed to drain node, (evicting pod violates a PDB|\d+ pods are waiting).*\(PodDisruptionBudget=\[default\/critical\]\)$/,
    ),
  );

  await world.client.patch(
    kinds.podDisruptionBudget,
    { namespace: 'default', name: 'critical' },
    { type: 'merge', body: { spec: { maxUnavailable: 1 } } },
  );
  await world
    .eventually(async () => (await world.nodeClaims()).map(({ metadata }) => metadata.name))
    .not.toContain(name);
  await world.eventually(() => running(world, 'critical')).toBe(2);
}
