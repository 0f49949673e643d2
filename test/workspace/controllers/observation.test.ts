import {
  nodePoolGauges,
  nodePoolReadiness,
  nodePools,
  nodeStateGauges,
  podStateGauges,
  poolCostGauges,
  statusConditionControllers,
} from '@karpenter/controllers';
import {
  nodePoolMetrics,
  nodeStateMetrics,
  operatorMetrics,
  podMetrics,
  sharedStatusConditionMetrics,
  statusConditionMetrics,
} from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createBoundPod,
  createNode,
  createNodeClass,
  createPendingPod,
  noTime,
  testPool,
} from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld();
});

afterEach(() => world.stop());

const eventually = (check: () => boolean) => world.until(check);

describe('a condition that changes', () => {
  const metrics = statusConditionMetrics('NodePool');

  it('publishes an event, is counted, and shows in gauges until the object is deleted', async () => {
    world.run(...statusConditionControllers(world), nodePoolReadiness(world));
    await world.client.create(nodePools, testPool());
    const type = 'NodeClassReady';
    await eventually(() => world.meters.values(metrics.count, { type, status: 'False' }).length === 1);
    expect(world.recorder.texts).toContain(
      'NodePool/default NodeClassReady: Status condition transitioned, Type: NodeClassReady, Status: Unknown -> False, Reason: NodeClassNotFound, Message: NodeClass not found on cluster',
    );
    await createNodeClass(world);
    await eventually(() => world.meters.values(metrics.count, { type, status: 'True' }).length === 1);
    expect(world.recorder.texts).toContain(
      'NodePool/default NodeClassReady: Status condition transitioned, Type: NodeClassReady, Status: False -> True, Reason: NodeClassReady',
    );
    expect(world.meters.values(metrics.count, { type, status: 'False' })).toEqual([]);
    expect(world.meters.values(metrics.transitions, { type, status: 'True' })).toEqual([1]);
    expect(world.meters.values(metrics.transitionSeconds, { type, status: 'False' })).toHaveLength(1);
    const shared = { type, status: 'True', group: 'karpenter.sh', kind: 'NodePool' };
    expect(world.meters.values(sharedStatusConditionMetrics.count, shared)).toEqual([1]);
    const before = world.meters.values(metrics.currentStatusSeconds, { type })[0] ?? 0;
    await eventually(
      () => (world.meters.values(metrics.currentStatusSeconds, { type })[0] ?? 0) >= before + 10,
    );
    await world.client.delete(nodePools, { name: 'default' });
    await eventually(() => world.meters.series(metrics.count).length === 0);
  });

  it('includes its message in the event', async () => {
    world.run(...statusConditionControllers(world));
    await createNode(world, 'node-1');
    const condition = (status: string) => ({
      status: {
        conditions: [
          {
            type: 'Ready',
            status,
            reason: 'KubeletReady',
            message: 'kubelet is posting ready status',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    const patch = (status: string) =>
      world.client.patch(
        kinds.node,
        { name: 'node-1' },
        { type: 'merge', body: condition(status) },
        { subresource: 'status' },
      );
    const node = statusConditionMetrics('Node', [
      'karpenter.test.sh/testnodeclass',
      'karpenter.sh/nodepool',
      'karpenter.sh/initialized',
    ]);
    await patch('Unknown');
    await eventually(() => world.meters.values(node.count, { status: 'Unknown' }).length === 1);
    await patch('True');
    await eventually(() => world.recorder.texts.length > 0);
    expect(world.recorder.texts).toEqual([
      'Node/node-1 Ready: Status condition transitioned, Type: Ready, Status: Unknown -> True, Reason: KubeletReady, Message: kubelet is posting ready status',
    ]);
    expect(world.meters.values(node.count, { karpenter_sh_nodepool: 'default' })).toEqual([1]);
  });

  it('reports the finalizers and the termination time of its object', async () => {
    world.run(...statusConditionControllers(world));
    await world.client.create(nodePools, {
      ...testPool(),
      metadata: { name: 'default', finalizers: ['karpenter.sh/termination'] },
    });
    await world.until(() => world.caches.of(nodePools).list().length === 1, noTime);
    await world.client.delete(nodePools, { name: 'default' });
    await eventually(
      () => world.meters.values(metrics.terminationCurrentTime, { name: 'default' }).length === 1,
    );
    const body = { metadata: { finalizers: [] } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await eventually(() => world.meters.values(metrics.terminationDuration).length === 1);
    expect(world.recorder.texts).toContain('NodePool/default Finalized: Finalized karpenter.sh/termination');
    expect(world.meters.series(metrics.terminationCurrentTime)).toEqual([]);
  });
});

describe('gauges of nodes', () => {
  it('show allocatable resources, pod requests and the utilization of the cluster', async () => {
    world.run(nodeStateGauges(world));
    await createNode(world, 'node-1');
    await createBoundPod(world, 'a', 'node-1', { cpu: '1' });
    const metrics = nodeStateMetrics(world.vocabulary.wellKnownLabels);
    const cpu = { node_name: 'node-1', resource_type: 'cpu' };
    await eventually(() => world.meters.values(metrics.totalPodRequests, cpu)[0] === 1);
    expect(world.meters.values(metrics.allocatable, cpu)).toEqual([4]);
    expect(world.meters.series(metrics.allocatable)[0]?.labels).toMatchObject({
      nodepool: 'default',
      zone: 'a',
      instance_type: 'c.large',
      capacity_type: '',
      managed: 'true',
    });
    expect(world.meters.values(metrics.systemOverhead, cpu)).toEqual([0]);
    expect(world.meters.values(metrics.currentLifetime, { node_name: 'node-1' })).toHaveLength(1);
    expect(world.meters.values(operatorMetrics.clusterUtilization, { resource_type: 'cpu' })).toEqual([25]);
    expect(world.meters.values(operatorMetrics.clusterStateNodes)).toEqual([1]);
    expect(world.meters.values(operatorMetrics.clusterStateSynced)).toEqual([1]);
    await world.client.delete(kinds.node, { name: 'node-1' });
    await eventually(() => world.meters.series(metrics.allocatable).length === 0);
  });
});

describe('gauges of NodePools', () => {
  it('show limits and usage, and end with the NodePool', async () => {
    world.run(nodePoolGauges(world));
    await world.client.create(nodePools, testPool('default', { limits: { cpu: '1500m', nodes: '3' } }));
    const body = { status: { resources: { cpu: '1' } } };
    await world.client.patch(
      nodePools,
      { name: 'default' },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    const cpu = { nodepool: 'default', resource_type: 'cpu' };
    await eventually(() => world.meters.values(nodePoolMetrics.usage, cpu)[0] === 1);
    expect(world.meters.values(nodePoolMetrics.limit, cpu)).toEqual([1.5]);
    await world.client.patch(
      nodePools,
      { name: 'default' },
      { type: 'merge', body: { spec: { limits: { cpu: null } } } },
    );
    await eventually(() => world.meters.values(nodePoolMetrics.limit, cpu).length === 0);
    expect(world.meters.values(nodePoolMetrics.limit, { resource_type: 'nodes' })).toEqual([3]);
    await world.client.delete(nodePools, { name: 'default' });
    await eventually(() => world.meters.series(nodePoolMetrics.limit).length === 0);
  });
});

describe('the cost of a NodePool', () => {
  it('sums the prices of its nodes, offered or not, and counts nodes without a price once', async () => {
    const labels = { 'karpenter.sh/capacity-type': 'spot' };
    const types = [
      instanceType('c.large', {
        price: 0.1,
        spotPrice: 0.04,
        capacityTypes: ['on-demand', 'spot'],
        unavailable: ['a/spot'],
      }),
    ];
    world.run(poolCostGauges(world));
    await createNode(world, 'node-1', { labels });
    await createNode(world, 'node-2', { labels });
    await createNode(world, 'odd', { labels: { ...labels, 'topology.kubernetes.io/zone': 'elsewhere' } });
    world.cluster.learn({ type: 'instanceTypesKnown', nodePool: 'default', types });
    const nodepool = { nodepool: 'default' };
    await eventually(() => world.meters.values(nodePoolMetrics.cost, nodepool).length > 0);
    expect(world.meters.values(nodePoolMetrics.cost, nodepool)).toEqual([0.08]);
    await world.clock.advance(60_000);
    expect(world.meters.values(nodePoolMetrics.costTrackerErrors, nodepool)).toEqual([1]);
  });
});

describe('gauges of pods', () => {
  const key = { namespace: 'default', name: 'waiting' };
  const at = (seconds: number) =>
    new Date(world.clock.now() + seconds * 1000).toISOString().replace('.000', '');

  it('show how long a pod waits, and measure how long it took to be bound and to start', async () => {
    world.run(podStateGauges(world));
    await createNode(world, 'node-1');
    const uid = await createPendingPod(world, 'waiting');
    world.cluster.learn({ type: 'podsAcknowledged', pods: [uid], at: world.clock.now() });
    await eventually(() => world.meters.values(podMetrics.schedulingUndecidedTime).length === 1);
    expect(world.meters.values(podMetrics.unboundTime, key)).toHaveLength(1);
    expect(world.meters.values(podMetrics.unstartedTime, key)).toHaveLength(1);
    const decisions = [{ uid, placement: { isPoolHealthy: true } }];
    world.cluster.learn({ type: 'podsDecided', decisions, at: world.clock.now() });
    await eventually(() => world.meters.values(podMetrics.provisioningUnboundTime).length === 1);
    expect(world.meters.values(podMetrics.schedulingUndecidedTime)).toEqual([]);
    await world.client.bind(key, 'node-1');
    const conditions = [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: at(0) },
      { type: 'Ready', status: 'True', lastTransitionTime: at(90) },
    ];
    const body = { status: { phase: 'Running', conditions } };
    await world.client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
    await eventually(() => world.meters.values(podMetrics.startupDuration).length === 1);
    const [bound = 0] = world.meters.values(podMetrics.boundDuration);
    const [started = 0] = world.meters.values(podMetrics.startupDuration);
    expect(started - bound).toBeGreaterThanOrEqual(89);
    expect(world.meters.values(podMetrics.provisioningBoundDuration)).toHaveLength(1);
    expect(world.meters.values(podMetrics.provisioningStartupDuration)).toHaveLength(1);
    for (const gauge of [
      podMetrics.unboundTime,
      podMetrics.unstartedTime,
      podMetrics.provisioningUnboundTime,
    ]) {
      expect(world.meters.values(gauge)).toEqual([]);
    }
    expect(world.meters.series(podMetrics.state).map(({ labels }) => labels)).toEqual([
      {
        name: 'waiting',
        namespace: 'default',
        owner: '',
        node: 'node-1',
        scheduled: 'true',
        nodepool: 'default',
        zone: 'a',
        arch: 'N/A',
        capacity_type: 'N/A',
        instance_type: 'c.large',
        phase: 'Running',
        ready: 'true',
        managed: 'true',
      },
    ]);
    await world.client.delete(kinds.pod, key, { gracePeriodSeconds: 0 });
    await eventually(() => world.meters.series(podMetrics.state).length === 0);
  });
});
