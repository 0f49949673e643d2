import { capacityTrigger, nodeClaims, nodePools } from '@karpenter/controllers';
import { claim } from '@karpenter/testkit/cluster-objects';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, expect, it } from 'vitest';
import { createPendingPod, createPool, noTime } from './objects.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

/** A NodeClaim without pods, so that no pod waits for it. */
const launchable = () => claim('made', { requests: {} });

it('pods that a plan left without a place get another one as soon as the reason may be gone', async () => {
  world = await startControllerWorld();
  const asked: string[] = [];
  world.run(capacityTrigger(world, { trigger: (uid) => asked.push(uid) }));
  const uid = await createPendingPod(world, 'left');
  await createPool(world);
  const { metadata } = await world.client.create(nodeClaims, launchable());
  const name = metadata.name ?? '';
  await world.until(() => world.caches.of(nodeClaims).get({ name }), noTime);
  await world.clock.advance(60_000);
  expect(asked).toEqual([]);

  const triggered = async (change: () => Promise<unknown>) => {
    asked.length = 0;
    await change();
    await world.until(() => asked.length > 0);
    return [...new Set(asked)];
  };
  const patch = { type: 'merge', body: { status: { providerID: 'cloud://1' } } } as const;
  const launch = () => world.client.patch(nodeClaims, { name }, patch, { subresource: 'status' });
  const raise = { type: 'merge', body: { spec: { limits: { cpu: '100' } } } } as const;
  expect(await triggered(launch)).toEqual([uid]);
  expect(await triggered(() => world.client.patch(nodePools, { name: 'default' }, raise))).toEqual([uid]);
  expect(await triggered(() => world.client.delete(nodeClaims, { name }))).toEqual([uid]);
});
