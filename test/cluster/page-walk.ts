import { nodePools } from '@karpenter/controllers';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { brokenPromises } from '../walkthroughs/promises.ts';
import type { PageWorld } from '../walkthroughs/world.ts';
import type { RealWorld } from './real-world.ts';

export type PageWalk = (world: PageWorld) => Promise<void>;

/**
 * Runs a walkthrough on a control plane that others used before, and returns what its page promises and the run has not
 * shown. Each begins with an empty cluster and counts neither events nor log lines of an earlier one.
 */
export async function walkPage(world: RealWorld, number: number, walk: PageWalk): Promise<readonly string[]> {
  await removeAll(world);
  const before = world.log.length;
  await walk(world);
  return brokenPromises({ ...world, log: world.log.slice(before) }, number);
}

const namespaced = [kinds.deployment, kinds.podDisruptionBudget, kinds.event] as readonly Kind<KubeObject>[];

async function removeAll(world: RealWorld): Promise<void> {
  const { client } = world;
  for (const kind of namespaced) {
    for (const { metadata } of (await client.list(kind)).items) {
      const { name = '', namespace = '' } = metadata ?? {};
      await client.delete(kind, { name, namespace });
    }
  }
  for (const { metadata } of (await client.list(nodePools)).items) {
    await client.delete(nodePools, { name: metadata.name });
  }
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
}
