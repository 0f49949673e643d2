import {
  nodeClaims,
  nodePools,
  observationControllers,
  provisioningControllers,
  RegistrationHealth,
} from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodeClass, noTime, testPool } from '../workspace/controllers/objects.ts';

// With the validation of the real API server, and the real kube-scheduler that marks pods unschedulable.

let world: ControllerWorld;

beforeAll(async () => {
  const server = await startControlPlane({ components: ['kube-scheduler'] });
  const types = [instanceType('c.2xlarge', { price: 0.2, cpu: '8', memory: '16Gi' })];
  const gates = { NodeOverlay: true, CapacityBuffer: true, StaticCapacity: true };
  world = await startControllerWorld({ server, types, gates });
  await world.client.create(kinds.serviceAccount, { metadata: { name: 'default', namespace: 'default' } });
  world.run(
    ...provisioningControllers(world, new RegistrationHealth(world)),
    ...observationControllers(world),
  );
}, 120_000);

afterAll(() => world.stop());

it('creates one NodeClaim for pods that the real scheduler marked unschedulable', async () => {
  await createNodeClass(world);
  await world.client.create(nodePools, testPool());
  for (const name of ['a', 'b', 'c']) {
    await world.client.create(kinds.pod, {
      metadata: { name, namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] },
    });
  }
  await world.until(() => world.cluster.snapshot().pendingPods.length === 3, noTime);
  const made = await world.until(async () => {
    const { items } = await world.client.list(nodeClaims);
    return items.length > 0 ? items : undefined;
  });
  expect(made).toMatchObject([
    {
      metadata: { generateName: 'default-', name: expect.stringMatching(/^default-[a-z0-9]{5}$/) },
      spec: { resources: { requests: { cpu: '3', pods: '3' } } },
    },
  ]);
  const pool = await world.client.get(nodePools, { name: 'default' });
  expect(pool.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
});

it('keeps a static NodePool at its replicas', async () => {
  await world.client.create(nodePools, testPool('static', { replicas: 2 }));
  await world.until(async () => {
    const { items } = await world.client.list(nodeClaims, { labelSelector: 'karpenter.sh/nodepool=static' });
    return items.length === 2;
  });
  expect(world.errors.map(({ controller, error }) => `${controller}: ${error}`)).toEqual([]);
});
