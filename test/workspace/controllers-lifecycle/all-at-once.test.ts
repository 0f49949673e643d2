import { lifecycleControllers, nodeClaims, RegistrationHealth } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClaim, createPodOn, finishPod, instanceType, joinNode } from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ types: [instanceType] });
});

afterEach(() => world.stop());

/** Advances the clock slowly, so that no timeout passes while requests of many claims are running. */
const step = 20;
const count = 25;

it('launches and terminates many NodeClaims with all controllers running', async () => {
  world.run(...lifecycleControllers(world, new RegistrationHealth(world)));
  await Promise.all(Array.from({ length: count }, (_, index) => createClaim(world, `claim-${index}`)));
  const claims = async () => (await world.client.list(nodeClaims)).items;
  await world.until(
    async () => (await claims()).every(({ status }) => status?.providerID !== undefined),
    step,
  );
  await Promise.all(
    (await claims()).map(({ metadata, status }) =>
      joinNode(world, `node-of-${metadata.name}`, status?.providerID ?? ''),
    ),
  );
  const areReady = async () =>
    (await claims()).every(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    );
  await world.until(areReady, step);
  expect(world.cloud.callsOf('create')).toHaveLength(count);
  await createPodOn(world, 'node-of-claim-0', 'pod');
  for (const { metadata } of await claims()) await world.client.delete(nodeClaims, { name: metadata.name });
  const isEnding = async () =>
    (await world.client.list(kinds.pod)).items.some(({ metadata }) => metadata?.deletionTimestamp);
  await world.until(isEnding, step);
  await finishPod(world, 'pod');
  await world.until(async () => (await claims()).length === 0, step);
  expect((await world.client.list(kinds.node)).items).toEqual([]);
  expect(world.cloud.instances.size).toBe(0);
  expect(world.errors).toEqual([]);
  for (const message of ['launched', 'registered', 'initialized', 'deleted']) {
    expect(world.log.of(`${message} nodeclaim`)).toHaveLength(count);
  }
});
