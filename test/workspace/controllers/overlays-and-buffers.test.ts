import {
  capacityBuffer,
  capacityBuffers,
  nodeClaims,
  nodeOverlay,
  nodeOverlays,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from '@karpenter/controllers';
import type { CapacityBuffer, NodeOverlay } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { createNode, createPendingPod, createPool, noTime, testPool } from './objects.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

const types = [
  instanceType('c.large', { price: 0.1, cpu: '2', memory: '4Gi' }),
  instanceType('c.2xlarge', { price: 0.2, cpu: '8', memory: '16Gi' }),
];
const claims = async () => (await world.client.list(nodeClaims)).items;

async function begin(options: WorldOptions): Promise<ProvisioningBatcher> {
  world = await startControllerWorld({ types, ...options });
  const batcher = new ProvisioningBatcher(world.clock, { idle: 1000, max: 10_000 });
  world.run(podTrigger(world, batcher), provisioner(world, batcher));
  return batcher;
}

describe('a NodeOverlay', () => {
  const overlay = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name },
    spec: { requirements: [], ...spec },
  });
  const only = (type: string) => [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [type] },
  ];
  const conditionOf = async (name: string, type: string) =>
    (await world.client.get(nodeOverlays, { name })).status?.conditions?.find((each) => each.type === type);

  it('changes which instance type is chosen, and is annotated on the NodeClaim', async () => {
    await begin({ gates: { NodeOverlay: true } });
    await createPool(world);
    await world.client.create(
      nodeOverlays,
      overlay('expensive', { requirements: only('c.large'), price: '9.9' }),
    );
    await world.until(() => world.caches.of(nodeOverlays).list().length === 1, noTime);
    await createPendingPod(world, 'waiting');
    const [made] = await world.until(async () => {
      const found = await claims();
      return found.length > 0 ? found : undefined;
    });
    expect(made?.metadata.annotations).toMatchObject({ 'karpenter.sh/price-overlay-applied': 'true' });
    const { instanceTypes } = world.cluster.snapshot();
    const prices = instanceTypes.get('default')?.map(({ name, offerings }) => [name, offerings[0]?.price]);
    expect(prices).toEqual([
      ['c.large', 9.9],
      ['c.2xlarge', 0.2],
    ]);
  });

  it('changes nothing while the feature gate is off', async () => {
    await begin({});
    await createPool(world);
    await world.client.create(
      nodeOverlays,
      overlay('expensive', { requirements: only('c.large'), price: '9.9' }),
    );
    await world.until(() => world.caches.of(nodeOverlays).list().length === 1, noTime);
    const { instanceTypes } = (await world.planning.refresh()).snapshot;
    expect(instanceTypes.get('default')).toBe(types);
  });

  it('keeps the identity of instance type lists while nothing changes', async () => {
    await begin({ gates: { NodeOverlay: true } });
    await createPool(world);
    await world.client.create(
      nodeOverlays,
      overlay('expensive', { requirements: only('c.large'), price: '9.9' }),
    );
    await world.until(() => world.caches.of(nodeOverlays).list().length === 1, noTime);
    const first = (await world.planning.refresh()).snapshot.instanceTypes.get('default');
    expect((await world.planning.refresh()).snapshot.instanceTypes.get('default')).toBe(first);
    expect(first).not.toBe(types);
    expect(world.planning.overlaid(testPool(), types)).toBe(first);
    expect(world.planning.overlaid(testPool('other'), types)).toBe(types);
  });

  it('returns from a refresh the cluster, the failures and the overlays of that refresh alone', async () => {
    await begin({ gates: { NodeOverlay: true } });
    await createPool(world);
    await world.client.create(
      nodeOverlays,
      overlay('expensive', { requirements: only('c.large'), price: '9.9' }),
    );
    await world.until(() => world.caches.of(nodeOverlays).list().length === 1, noTime);
    const failure = new Error('unavailable');
    world.cloud.fail('instanceTypes', failure, 1);
    const failed = await world.planning.refresh();
    const succeeded = await world.planning.refresh();
    expect(failed.snapshot.instanceTypes.get('default') ?? []).toEqual([]);
    expect([...failed.typeFailures]).toEqual([['default', failure]]);
    expect(succeeded.snapshot.instanceTypes.get('default')).toHaveLength(types.length);
    expect(succeeded.typeFailures.size).toBe(0);
    expect(succeeded.overlayVerdicts).toMatchObject([{ overlay: 'expensive' }]);
  });

  it('has conditions that say whether it is applied or conflicts with another of the same weight', async () => {
    await begin({ gates: { NodeOverlay: true } });
    await createPool(world);
    world.run(nodeOverlay(world));
    await world.client.create(nodeOverlays, overlay('b', { requirements: only('c.large'), price: '9' }));
    await world.until(async () => (await conditionOf('b', 'Ready'))?.status === 'True');
    await world.client.create(nodeOverlays, overlay('a', { requirements: only('c.large'), price: '8' }));
    await world.until(async () => (await conditionOf('a', 'ValidationSucceeded'))?.status === 'False');
    expect(await conditionOf('a', 'ValidationSucceeded')).toMatchObject({
      reason: 'Conflict',
      message: 'conflict with another overlay',
    });
    expect(await conditionOf('b', 'Ready')).toMatchObject({ status: 'True' });
    await world.client.delete(nodeOverlays, { name: 'b' });
    await world.until(async () => (await conditionOf('a', 'Ready'))?.status === 'True');
  });

  it('with invalid requirements fails validation', async () => {
    await begin({ gates: { NodeOverlay: true } });
    await createPool(world);
    world.run(nodeOverlay(world));
    const requirements = [{ key: 'team', operator: 'In' as const, values: ['not a value'] }];
    await world.client.create(nodeOverlays, overlay('bad', { requirements, price: '9' }));
    await world.until(async () => (await conditionOf('bad', 'ValidationSucceeded'))?.status === 'False');
    expect(await conditionOf('bad', 'ValidationSucceeded')).toMatchObject({ reason: 'RuntimeValidation' });
  });
});

describe('a CapacityBuffer', () => {
  const buffer = (spec: Partial<CapacityBuffer['spec']>): CapacityBuffer => ({
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default' },
    spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity', ...spec },
  });
  const key = { namespace: 'default', name: 'spare' };
  const read = async () => (await world.client.get(capacityBuffers, key)).status;
  const conditionOf = async (type: string) => (await read())?.conditions?.find((each) => each.type === type);

  async function beginBuffer(spec: Partial<CapacityBuffer['spec']>): Promise<void> {
    const batcher = await begin({ gates: { CapacityBuffer: true } });
    await createPool(world);
    world.run(capacityBuffer(world, batcher));
    await world.client.create(capacityBuffers, buffer(spec));
  }

  const createTemplate = () =>
    world.client.create(kinds.podTemplate, {
      metadata: { name: 'small', namespace: 'default' },
      template: {
        metadata: { labels: { app: 'small' } },
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] },
      },
    });

  it('waits for its PodTemplate, then gets capacity for its pods, and reports it in its status', async () => {
    await beginBuffer({ podTemplateRef: { name: 'small' }, replicas: 2 });
    await world.until(async () => (await conditionOf('ReadyForProvisioning'))?.status === 'False');
    expect(await conditionOf('ReadyForProvisioning')).toMatchObject({ reason: 'PodTemplateNotFound' });
    expect(await conditionOf('Provisioning')).toMatchObject({
      status: 'False',
      reason: 'NotReadyForProvisioning',
    });
    await createTemplate();
    await world.until(async () => (await conditionOf('ReadyForProvisioning'))?.status === 'True');
    expect(await read()).toMatchObject({
      replicas: 2,
      podTemplateRef: { name: 'small' },
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    });
    const [made] = await world.until(async () => {
      const found = await claims();
      return found.length > 0 ? found : undefined;
    });
    expect(made?.spec.resources?.requests).toMatchObject({ pods: '2' });
    await world.until(async () => (await conditionOf('Provisioning'))?.reason === 'RequiresNewCapacity');
    expect(await conditionOf('Provisioning')).toMatchObject({
      message: '2/2 virtual pods required new capacity, 0 failed',
    });
    expect(world.recorder.texts).toEqual([]);
    await world.clock.advance(120_000);
    expect(await claims()).toHaveLength(1);
  });

  it('that fits on existing nodes creates and nominates none, and counts on its node', async () => {
    const batcher = await begin({ gates: { CapacityBuffer: true } });
    await createPool(world);
    await createNode(world, 'node-1');
    world.run(capacityBuffer(world, batcher));
    await createTemplate();
    await world.client.create(capacityBuffers, buffer({ podTemplateRef: { name: 'small' }, replicas: 2 }));
    await world.until(async () => (await conditionOf('Provisioning'))?.status === 'True');
    expect(await conditionOf('Provisioning')).toMatchObject({
      reason: 'FitsExistingCapacity',
      message: 'All 2 virtual pods fit on existing capacity',
    });
    const [state] = world.cluster.snapshot().nodeStates;
    expect(state).toMatchObject({ bufferPods: 2, nominatedUntil: undefined });
    await world.client.delete(capacityBuffers, key);
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.bufferPods === 0);
  });

  it('with a percentage of a workload follows its replicas', async () => {
    await beginBuffer({ scalableRef: { kind: 'Deployment', name: 'web' }, percentage: 50 });
    await world.client.create(kinds.deployment, {
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] },
        },
      },
    });
    await world.until(async () => (await read())?.replicas === 2);
  });

  it('with zero replicas has no pods', async () => {
    await beginBuffer({ podTemplateRef: { name: 'small' }, replicas: 0 });
    await createTemplate();
    await world.until(async () => (await conditionOf('Provisioning'))?.reason === 'BufferEmpty');
  });
});

describe('default spread', () => {
  it('applies to the pods of a workload, in plans only', async () => {
    const defaultSpread = [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' as const },
    ];
    await begin({ defaultSpread });
    await createPool(world, testPool());
    await world.client.create(kinds.service, {
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    await world.until(
      () =>
        world.caches
          .of(kinds.service)
          .list()
          .some(({ metadata }) => metadata?.name === 'web'),
      noTime,
    );
    for (const name of ['a', 'b', 'c'])
      await createPendingPod(world, name, { cpu: '100m', labels: { app: 'web' } });
    const made = await world.until(async () => {
      const found = await claims();
      return found.length === 3 ? found : undefined;
    });
    const zones = made.map(
      ({ spec }) => spec.requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.values,
    );
    expect(new Set(zones.flat())).toEqual(new Set(['a', 'b', 'c']));
    const pod = await world.client.get(kinds.pod, { namespace: 'default', name: 'a' });
    expect(pod.spec?.topologySpreadConstraints).toBeUndefined();
  });
});
