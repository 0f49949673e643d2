import { lifecycleControllers, nodeClaims, RegistrationHealth } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createClaim,
  createPodOn,
  finishPod,
  instanceType,
  joinNode,
} from '../workspace/controllers-lifecycle/objects.ts';

// With the real API server: its conflicts, its evictions, its messages about budgets.

let world: ControllerWorld;

/** Advances the clock slowly, so that no timeout passes while requests are in progress. */
const step = 20;

beforeAll(async () => {
  const server = await startControlPlane({ components: [] });
  world = await startControllerWorld({ server, types: [instanceType] });
  await world.client.create(kinds.serviceAccount, { metadata: { name: 'default', namespace: 'default' } });
  world.run(...lifecycleControllers(world, new RegistrationHealth(world)));
}, 120_000);

afterAll(() => world.stop());

const claims = async () => (await world.client.list(nodeClaims)).items;
const nodes = async () => (await world.client.list(kinds.node)).items;

it('makes NodeClaims Ready', async () => {
  for (const name of ['a', 'b', 'c']) await createClaim(world, name);
  await world.until(async () => (await claims()).every(({ status }) => status?.providerID), step);
  for (const { metadata, status } of await claims()) {
    await joinNode(world, `node-${metadata.name}`, status?.providerID ?? '');
  }
  await world.until(async () => (await claims()).every(({ status }) => status?.nodeName), step);
  for (const { metadata, spec } of await nodes()) {
    // The API server adds this finalizer, and the controller that removes it does not run here.
    expect(spec?.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    const body = { spec: { taints: [] } };
    await world.client.patch(kinds.node, { name: metadata?.name ?? '' }, { type: 'merge', body });
  }
  const areReady = async () =>
    (await claims()).every(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    );
  await world.until(areReady, step);
  expect(world.cloud.callsOf('create').toSorted()).toEqual(['a', 'b', 'c']);
  expect((await nodes()).map(({ metadata }) => metadata?.finalizers)).toEqual(
    Array.from({ length: 3 }, () => ['karpenter.sh/termination']),
  );
});

it('drains a Node past budgets and leaves nothing behind', async () => {
  const labels = { app: 'web' };
  await createPodOn(world, 'node-a', 'web', { labels });
  for (const name of ['one', 'two']) {
    await world.client.create(kinds.podDisruptionBudget, {
      metadata: { name, namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
  }
  await world.client.delete(kinds.node, { name: 'node-a' });
  const isPublished = (text: string) => () => world.recorder.texts.includes(text);
  const failed = 'Node/node-a FailedDraining: Failed to drain node,';
  const both = '(PodDisruptionBudget(s)=[default/one default/two])';
  await world.until(
    isPublished(`${failed} eviction does not support multiple PDBs (Pod=default/web) ${both}`),
    step,
  );
  await world.client.delete(kinds.podDisruptionBudget, { namespace: 'default', name: 'two' });
  const left = '(PodDisruptionBudget=[default/one])';
  await world.until(isPublished(`${failed} evicting pod violates a PDB (Pod=default/web) ${left}`), step);
  await world.client.delete(kinds.podDisruptionBudget, { namespace: 'default', name: 'one' });
  await world.until(isPublished('Pod/web Evicted: Evicted pod: Forceful Termination'), step);
  await finishPod(world, 'web');
  await world.until(async () => (await claims()).length === 2 && (await nodes()).length === 2, step);
});

it('deletes all NodeClaims with their Nodes and instances', async () => {
  for (const { metadata } of await claims()) await world.client.delete(nodeClaims, { name: metadata.name });
  await world.until(async () => (await claims()).length === 0, step);
  expect(await nodes()).toEqual([]);
  expect(world.cloud.instances.size).toBe(0);
  expect(world.errors).toEqual([]);
});
