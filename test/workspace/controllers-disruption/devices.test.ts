import { disruption } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  allocate,
  claiming,
  createClaim,
  createDeviceClass,
  publish,
} from '../controllers/device-objects.ts';
import { createPool, noTime } from '../controllers/objects.ts';
import { createNode, livingClaims, poolOf, types } from './nodes.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ types, settings: { ignoreDraRequests: false } });
  await createPool(world, poolOf());
  await createDeviceClass(world);
});

afterEach(() => world.stop());

/** A pod that runs on a node and has the first of its devices. */
async function createUser(name: string, nodeName: string): Promise<void> {
  await createClaim(world, name);
  const { metadata } = await world.client.create(kinds.pod, {
    metadata: { name, namespace: 'default' },
    spec: {
      ...claiming(name),
      nodeName,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }],
    },
  });
  const uid = metadata?.uid ?? '';
  await allocate(world, { name, uid }, nodeName, 'gpu-0');
  await world.until(
    () => world.cluster.snapshot().boundPods.some((bound) => bound.metadata.uid === uid),
    noTime,
  );
}

/** Two nodes with a pod each that uses a device. */
async function createCluster(devices: { readonly ofOther: number }): Promise<void> {
  for (const name of ['spare', 'other']) {
    await createNode(world, name);
    await publish(world, name, name === 'other' ? devices.ofOther : 1);
    await createUser(`user-of-${name}`, name);
  }
  world.run(...disruption(world));
}

describe('a node whose pod uses a device', () => {
  it('is deleted when another node has a free device', async () => {
    await createCluster({ ofOther: 2 });
    await world.until(async () => (await livingClaims(world)).length === 1);
    expect(await livingClaims(world)).toEqual(['claim-other']);
  });

  it('stays when no other device is free', async () => {
    await createCluster({ ofOther: 1 });
    const end = world.clock.now() + 60_000;
    await world.until(() => world.clock.now() >= end, 2_500);
    expect(await livingClaims(world)).toEqual(['claim-other', 'claim-spare']);
  });
});
