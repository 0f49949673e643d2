import { nodeClaims } from '@karpenter/controllers';
import { hours, minutes, nodeMetrics, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { createPodOn, finishPod, joinNode, nodeClassLabel, setNodeStatus } from './objects.ts';
import { providerId, startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;

beforeEach(async () => {
  world = await startTerminationWorld();
});

afterEach(() => world.stop());

const drained = async () => conditionsOf(await readClaim(world, 'a'))['Drained'];

describe('a deleted Node', () => {
  it('deletes its claim, and a deleted claim deletes its Node', async () => {
    await world.createNode();
    await world.deleteNode();
    await world.driver.settle();
    expect((await readClaim(world, 'a')).metadata.deletionTimestamp).toBeDefined();
    await world.driver.pass(seconds(30));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
    expect(world.cloud.instances.size).toBe(0);
  });

  it('is tainted and taken out of load balancers, with a log line', async () => {
    await world.createNode({ taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    await world.deleteNode();
    await world.driver.settle();
    const { metadata, spec } = await readNode(world, 'node-a');
    expect(spec?.taints).toEqual([
      { key: 'gpu', effect: 'NoSchedule' },
      { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
    ]);
    expect(metadata?.labels).toMatchObject({
      'node.kubernetes.io/exclude-from-external-load-balancers': 'karpenter',
    });
    expect(world.log.of('tainted node')).toEqual([
      {
        NodeClaim: { name: 'a' },
        'taint.Key': 'karpenter.sh/disrupted',
        'taint.Value': '',
        'taint.Effect': 'NoSchedule',
      },
    ]);
  });

  it('has the disrupted taint with its own effect only', async () => {
    await world.createNode();
    const taints = [
      { key: 'karpenter.sh/disrupted', value: 'x', effect: 'NoExecute' },
      { key: 'karpenter.sh/disrupted', effect: 'PreferNoSchedule' },
    ];
    await world.client.patch(kinds.node, { name: 'node-a' }, { type: 'merge', body: { spec: { taints } } });
    await world.deleteNode();
    await world.driver.settle();
    expect((await readNode(world, 'node-a')).spec?.taints).toEqual([
      { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
    ]);
  });

  it('without pods counts as drained after 5 s', async () => {
    await world.createNode();
    await world.deleteNode();
    await world.driver.pass(seconds(5) - 1);
    await world.driver.reconcile('node-a');
    expect(await drained()).toBe('Unknown Draining: ');
    expect(world.cloud.callsOf('delete')).toEqual([]);
    await world.driver.pass(1);
    await world.driver.settle();
    expect(world.cloud.callsOf('delete').length).toBeGreaterThan(0);
    expect(world.meters.values(nodeMetrics.drained, { nodepool: 'default' })).toEqual([1]);
  });

  it('is logged and counted when it is gone', async () => {
    await world.createNode();
    await world.clock.advance(hours(1));
    await world.deleteNode();
    await world.driver.pass(seconds(30));
    expect(world.log.of('deleted node')).toEqual([{ NodeClaim: { name: 'a' } }]);
    const nodepool = 'default';
    expect(world.meters.values(nodeMetrics.terminated, { nodepool, zone: 'zone-a' })).toEqual([1]);
    expect(world.meters.values(nodeMetrics.terminationDuration, { nodepool })).toEqual([5]);
    expect(world.meters.values(nodeMetrics.lifetimeDuration, { nodepool })).toEqual([3605]);
  });

  it('is removed at once when it is not ready and its instance is gone', async () => {
    await world.createNode();
    await createPodOn(world, 'node-a', 'pod');
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'Unknown' }] });
    world.cloud.instances.clear();
    await world.deleteNode();
    await world.driver.settle();
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
  });

  it('is drained when it is not ready but its instance exists, or is ready without one', async () => {
    await world.createNode();
    await createPodOn(world, 'node-a', 'pod');
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'False' }] });
    await world.deleteNode();
    await world.driver.settle();
    expect(await drained()).toBe('Unknown Draining: ');
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'True' }] });
    world.cloud.instances.clear();
    await world.driver.pass(seconds(3));
    expect(await world.hasNode()).toBe(true);
  });

  it('is retried when the cloud provider cannot say whether its instance is gone', async () => {
    await world.createNode();
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'False' }] });
    world.cloud.fail('get', new Error('not now'));
    await world.deleteNode();
    await world.driver.pass(seconds(20));
    expect(await world.hasNode()).toBe(true);
    expect(world.driver.errors.at(-1)?.message).toBe('not now');
    world.cloud.heal('get');
    await world.driver.pass(seconds(30));
    expect(await world.hasNode()).toBe(false);
  });

  it('waits until its instance is terminated', async () => {
    await world.createNode();
    world.cloud.endsSlowly = true;
    await world.deleteNode();
    await world.driver.pass(minutes(2));
    expect(await world.hasNode()).toBe(true);
    expect(conditionsOf(await readClaim(world, 'a'))).toMatchObject({
      Drained: 'True Drained: ',
      VolumesDetached: 'True VolumesDetached: ',
      InstanceTerminating: 'True InstanceTerminating: ',
    });
    world.cloud.endsSlowly = false;
    await world.driver.pass(seconds(10));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
  });

  it('that Karpenter does not manage is left alone', async () => {
    await joinNode(world, 'foreign', 'foreign://1', { taints: [] });
    const finalizers = ['karpenter.sh/termination'];
    const body = { metadata: { finalizers } };
    await world.client.patch(kinds.node, { name: 'foreign' }, { type: 'merge', body });
    await world.deleteNode('foreign');
    await world.driver.pass(minutes(1));
    expect((await readNode(world, 'foreign')).spec?.taints ?? []).toEqual([]);
  });

  it('with only the finalizers of others is left alone', async () => {
    const labels = { [nodeClassLabel]: 'default' };
    await joinNode(world, 'held', 'memory:///held', { taints: [], labels });
    const body = { metadata: { finalizers: ['example.com/wait'] } };
    await world.client.patch(kinds.node, { name: 'held' }, { type: 'merge', body });
    await createPodOn(world, 'held', 'pod');
    await world.deleteNode('held');
    await world.driver.pass(minutes(1));
    const { metadata, spec } = await readNode(world, 'held');
    expect(metadata?.finalizers).toEqual(['example.com/wait']);
    expect(spec?.taints ?? []).toEqual([]);
    expect(world.removals).toEqual([]);
  });

  it('without a claim is drained without the minimum drain time, and no instance is terminated', async () => {
    for (const [name, providerID] of [
      ['none', 'memory:///nobody'],
      ['nameless', ''],
    ] as const) {
      await joinNode(world, name, providerID, { taints: [], labels: { [nodeClassLabel]: 'default' } });
      const body = { metadata: { finalizers: ['karpenter.sh/termination'] } };
      await world.client.patch(kinds.node, { name }, { type: 'merge', body });
      await createPodOn(world, name, `pod-of-${name}`);
      await world.deleteNode(name);
      await world.driver.settle();
      expect(world.removals).toContain(`evict pod-of-${name}`);
      expect(world.recorder.texts).toContain(`Pod/pod-of-${name} Evicted: Evicted pod: `);
      await finishPod(world, `pod-of-${name}`);
      await world.driver.settle();
      expect(await world.hasNode(name)).toBe(false);
    }
    expect(world.cloud.callsOf('delete')).toEqual([]);
  });

  it('with several claims is treated as one without a claim', async () => {
    await world.createNode();
    const { status } = await readClaim(world, 'a');
    await world.client.create(nodeClaims, {
      ...(await readClaim(world, 'a')),
      metadata: { name: 'b', finalizers: ['karpenter.sh/termination'] },
    });
    const body = { status };
    await world.client.patch(nodeClaims, { name: 'b' }, { type: 'merge', body }, { subresource: 'status' });
    await world.deleteNode();
    await world.driver.settle();
    expect(await world.hasNode()).toBe(false);
    expect((await readClaim(world, 'a')).metadata.deletionTimestamp).toBeUndefined();
  });

  it('is terminated by a process that restarts in the middle', async () => {
    await world.createNode();
    await createPodOn(world, 'node-a', 'pod');
    await world.deleteNode();
    await world.driver.settle();
    await finishPod(world, 'pod');
    await world.restart().pass(seconds(3));
    await world.restart().pass(seconds(30));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
    expect(world.cloud.instances.has(providerId)).toBe(false);
  });
});
