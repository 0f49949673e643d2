import { capacityBuffers, disabledFeatures, nodeOverlays, nodePools } from '@karpenter/controllers';
import type { CoreFeatureGate } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, describe, expect, it } from 'vitest';
import { noTime, testPool } from './objects.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

async function begin(gates: Partial<Record<CoreFeatureGate, boolean>> = {}): Promise<void> {
  world = await startControllerWorld({ gates });
  world.run(...disabledFeatures(world));
}

const overlay = {
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name: 'surcharge' },
  spec: {
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: ['arm64'] }],
    priceAdjustment: '+10%',
  },
};
const buffer = {
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name: 'spare', namespace: 'default' },
  spec: {
    podTemplateRef: { name: 'small' },
    replicas: 1,
    provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
  },
};

async function createAll(): Promise<void> {
  await world.client.create(nodePools, testPool('static', { replicas: 1 }));
  await world.client.create(nodePools, testPool('dynamic'));
  await world.client.create(nodeOverlays, overlay);
  await world.client.create(capacityBuffers, buffer);
}

describe('an object whose feature gate is off', () => {
  it('gets a warning that names the gate and its flag', async () => {
    await begin();
    await createAll();
    await world.until(() => world.recorder.texts.length === 3, noTime);
    expect(world.recorder.texts.toSorted()).toEqual([
      'CapacityBuffer/spare FeatureGateDisabled: A CapacityBuffer needs the feature gate CapacityBuffer, which is off, so no capacity is kept for it; set --feature-gates=CapacityBuffer=true',
      'NodeOverlay/surcharge FeatureGateDisabled: A NodeOverlay needs the feature gate NodeOverlay, which is off, so it changes no instance type; set --feature-gates=NodeOverlay=true',
      'NodePool/static FeatureGateDisabled: A NodePool with spec.replicas needs the feature gate StaticCapacity, which is off, so no nodes are created for it; set --feature-gates=StaticCapacity=true',
    ]);
  });

  it('gets the warning again before the event expires', async () => {
    await begin();
    await createAll();
    await world.until(() => world.recorder.texts.length === 3, noTime);
    await world.clock.advance(31 * 60_000);
    await world.until(() => world.recorder.texts.length === 6, noTime);
  });

  it('gets none for a gate that is on', async () => {
    await begin({ StaticCapacity: true, NodeOverlay: true });
    await createAll();
    await world.until(() => world.recorder.texts.length === 1, noTime);
    expect(world.recorder.texts[0]).toMatch(/^CapacityBuffer/);
  });
});

it('a kind that the cluster does not serve is no problem, and its objects get the warning once it does', async () => {
  world = await startControllerWorld();
  const name = 'capacitybuffers.autoscaling.x-k8s.io';
  const definition = await world.client.get(kinds.customResourceDefinition, { name });
  await world.client.delete(kinds.customResourceDefinition, { name });
  world.run(...disabledFeatures(world));
  await world.client.create(nodeOverlays, overlay);
  await world.until(() => world.recorder.texts.length === 1, noTime);
  const { resourceVersion: _version, uid: _uid, ...metadata } = definition.metadata ?? {};
  await world.client.create(kinds.customResourceDefinition, { ...definition, metadata });
  await world.until(() => world.client.create(capacityBuffers, buffer).then(Boolean, () => false));
  await world.until(() => world.recorder.texts.length === 2);
  expect(world.errors).toEqual([]);
  expect(world.caches.synced).toBe(true);
});
