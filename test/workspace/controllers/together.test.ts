import {
  nodeClaims,
  nodePools,
  observationControllers,
  provisioningControllers,
  RegistrationHealth,
} from '@karpenter/controllers';
import { controllerNames } from '@karpenter/core/api';
import { runnableName } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, expect, it } from 'vitest';
import { createNodeClass, createPendingPod, testPool } from './objects.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

const types = [instanceType('c.large', { price: 0.1, cpu: '2', memory: '4Gi' })];
const gates = { NodeOverlay: true, CapacityBuffer: true, StaticCapacity: true };
const all = () => [
  ...provisioningControllers(world, new RegistrationHealth(world)),
  ...observationControllers(world),
];

it('creates a NodeClaim for a pending pod with all controllers running', async () => {
  world = await startControllerWorld({ types, gates });
  world.run(...all());
  await createNodeClass(world);
  await world.client.create(nodePools, testPool());
  await createPendingPod(world, 'waiting');
  const made = await world.until(async () => {
    const { items } = await world.client.list(nodeClaims);
    return items.length > 0 ? items : undefined;
  });
  expect(made).toHaveLength(1);
  const pool = await world.client.get(nodePools, { name: 'default' });
  expect(pool.status?.conditions?.map(({ type, status }) => [type, status])).toEqual(
    expect.arrayContaining([
      ['ValidationSucceeded', 'True'],
      ['NodeClassReady', 'True'],
      ['NodeRegistrationHealthy', 'Unknown'],
      ['Ready', 'True'],
    ]),
  );
  expect(made[0]?.metadata.annotations?.['karpenter.sh/nodepool-hash']).toBe(
    pool.metadata.annotations?.['karpenter.sh/nodepool-hash'],
  );
  expect(world.errors.map(({ controller, error }) => `${controller}: ${error}`)).toEqual([]);
});

it('gives every controller a unique name, and runs them by feature gates', async () => {
  world = await startControllerWorld({ gates });
  const names = all().map(runnableName);
  expect(new Set(names).size).toBe(names.length);
  const known: readonly string[] = Object.values(controllerNames);
  // The status controller of a NodeClass is named after its kind.
  expect(names.filter((name) => !known.includes(name))).toEqual(['operatorpkg.testnodeclass.status']);
  const shut = {
    ...world,
    settings: {
      ...world.settings,
      featureGates: {
        NodeRepair: false,
        ReservedCapacity: true,
        SpotToSpotConsolidation: false,
        NodeOverlay: false,
        StaticCapacity: false,
        CapacityBuffer: false,
      },
      disableClusterStateObservability: true,
    },
  };
  const fewer = provisioningControllers(shut, new RegistrationHealth(shut)).map(runnableName);
  expect(
    names.filter(
      (name) =>
        !fewer.includes(name) &&
        !name.startsWith('metrics.') &&
        !name.startsWith('state.') &&
        !name.startsWith('operatorpkg.'),
    ),
  ).toEqual(['nodeoverlay.controller', 'capacitybuffer', 'static.provisioning', 'static.deprovisioning']);
  expect(observationControllers(shut)).toEqual([]);
});
