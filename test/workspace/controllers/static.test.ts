import { nodeClaims, nodePools, staticDeprovisioning, staticProvisioning } from '@karpenter/controllers';
import { nodeClaimMetrics } from '@karpenter/core/api';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBoundPod, createNode, createPool, noTime, testPool } from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ gates: { StaticCapacity: true } });
});

afterEach(() => world.stop());

const claims = async () => (await world.client.list(nodeClaims)).items;
const scale = (replicas: number) =>
  world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body: { spec: { replicas } } });

describe('a static pool', () => {
  it('gets as many NodeClaims as it has replicas, for no pods and of any type', async () => {
    world.run(staticProvisioning(world));
    await createPool(world, testPool('default', { replicas: 3 }));
    const made = await world.until(async () => {
      const found = await claims();
      return found.length === 3 ? found : undefined;
    });
    expect(made.every(({ spec }) => spec.resources === undefined)).toBe(true);
    expect(made[0]?.spec.requirements.map(({ key }) => key)).not.toContain(
      'node.kubernetes.io/instance-type',
    );
    expect(world.log.of('provisioning nodeclaims to satisfy replica count')).toEqual([
      { current: 0, desired: 3, 'provision-count': 3 },
    ]);
    expect(world.meters.values(nodeClaimMetrics.created, { nodepool: 'default' })).toEqual([3]);
    await world.clock.advance(180_000);
    expect(await claims()).toHaveLength(3);
  });

  it('replaces a NodeClaim that is gone', async () => {
    world.run(staticProvisioning(world));
    await createPool(world, testPool('default', { replicas: 1 }));
    const [first] = await world.until(async () => {
      const found = await claims();
      return found.length === 1 ? found : undefined;
    });
    await world.client.delete(nodeClaims, { name: first?.metadata.name ?? '' });
    await world.until(async () => {
      const [next] = await claims();
      return next !== undefined && next.metadata.name !== first?.metadata.name;
    });
  });

  it('stops at its limit, says so, and goes on when there is room', async () => {
    world.run(staticProvisioning(world));
    await createPool(world, testPool('default', { replicas: 3, limits: { nodes: '2' } }));
    await world.until(() => world.log.of('nodepool node limit reached').length > 0);
    expect(world.log.of('nodepool node limit reached')[0]).toEqual({ NodePool: { name: 'default' } });
    expect(await claims()).toHaveLength(2);
    const body = { spec: { limits: { nodes: '3' } } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await world.until(async () => (await claims()).length === 3);
  });

  describe('for which nothing can be launched', () => {
    /** Deletes NodeClaims as the lifecycle does when the cloud has no capacity. */
    const failLaunches = async () => {
      for (const { metadata } of await claims())
        await world.client.delete(nodeClaims, { name: metadata.name });
    };
    const created = () => world.log.of('created nodeclaim').length;
    /** How many NodeClaims are created in each of the next seconds. */
    const createdPerSecond = async (seconds: number) => {
      const counts: number[] = [];
      for (let second = 0; second < seconds; second += 1) {
        const before = created();
        for (let step = 0; step < 10; step += 1) {
          await failLaunches();
          await world.until(async () => (await claims()).length === 0 || created() > before, noTime);
          await world.clock.advance(100);
        }
        counts.push(created() - before);
      }
      return counts;
    };

    it('waits longer after each failure, up to a minute', async () => {
      world.run(staticProvisioning(world));
      await createPool(world, testPool('default', { replicas: 2 }));
      await world.until(() => created() === 2);
      const counts = await createdPerSecond(16);
      expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(10);
      expect(counts.slice(8).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2);
    });

    it('is tried at once when its spec changes', async () => {
      world.run(staticProvisioning(world));
      await createPool(world, testPool('default', { replicas: 2 }));
      await world.until(() => created() === 2);
      await createdPerSecond(8);
      await failLaunches();
      const before = created();
      await scale(3);
      await world.until(() => created() === before + 3, noTime);
    });
  });

  it('that is not ready gets none', async () => {
    world.run(staticProvisioning(world));
    await world.client.create(nodePools, testPool('unready', { replicas: 2 }));
    await createPool(world, testPool('default', { replicas: 1 }));
    await world.until(async () => (await claims()).length > 0);
    expect((await claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])).toEqual([
      'default',
    ]);
  });

  it('that is scaled down loses its empty nodes first, ready or not, and no more than it must', async () => {
    world.run(staticDeprovisioning(world));
    await world.client.create(nodePools, testPool('default', { replicas: 3 }));
    for (const name of ['busy', 'empty', 'busier']) await createNode(world, name);
    await createBoundPod(world, 'a', 'busy');
    await createBoundPod(world, 'b', 'busier');
    await createBoundPod(world, 'c', 'busier');
    await world.until(
      () => world.cluster.snapshot().nodeStates.reduce((sum, { pods }) => sum + pods.length, 0) === 3,
      noTime,
    );
    await scale(1);
    await world.until(async () => (await claims()).length === 1);
    expect(world.log.of('deprovisioning nodeclaims to satisfy replica count')).toEqual([
      { current: 3, desired: 1, 'deprovision-count': 2 },
    ]);
    await world.clock.advance(180_000);
    expect((await claims()).map(({ metadata }) => metadata.name)).toEqual(['busier-claim']);
  });
});
