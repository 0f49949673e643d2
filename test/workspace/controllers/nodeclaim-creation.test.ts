import { createNodeClaims, nodeClaims, nodePools } from '@karpenter/controllers';
import { nodeClaimMetrics } from '@karpenter/core/api';
import { ApiError, ConnectionError, type KubeClient } from '@karpenter/kube/client';
import { claim } from '@karpenter/testkit/cluster-objects';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool, plannedNode, testPool } from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld();
});

afterEach(() => world.stop());

const create = async (...planned: Parameters<typeof createNodeClaims>[1]) =>
  createNodeClaims(world, planned, { reason: 'provisioned', snapshot: world.cluster.snapshot() });

describe('a NodeClaim of a plan', () => {
  it('is created, counted and logged', async () => {
    await createPool(world);
    const [made] = await create(plannedNode({ instanceTypes: ['f', 'e', 'd', 'c', 'b', 'a'] }));
    expect(made).toMatchObject({
      nodeClaim: { metadata: { name: expect.stringMatching(/^default-[a-z0-9]{5}$/) } },
    });
    const { items } = await world.client.list(nodeClaims);
    expect(items).toMatchObject([
      {
        metadata: { generateName: 'default-', ownerReferences: [{ kind: 'NodePool', name: 'default' }] },
        spec: { resources: { requests: { cpu: '1', pods: '1' } }, expireAfter: '720h' },
      },
    ]);
    expect(world.log.of('created nodeclaim')).toEqual([
      {
        NodePool: { name: 'default' },
        NodeClaim: { name: items[0]?.metadata.name },
        requests: { cpu: '1', pods: '1' },
        'instance-types': 'a, b, c, d, e and 1 other(s)',
      },
    ]);
    const labels = { reason: 'provisioned', nodepool: 'default', min_values_relaxed: 'false' };
    expect(world.meters.values(nodeClaimMetrics.created, labels)).toEqual([1]);
  });

  it('holds its pods before the API server has it', async () => {
    await createPool(world);
    const creating = create(plannedNode({ pods: ['uid-1'] }));
    expect(world.cluster.snapshot().launching.map(({ pods }) => [...(pods ?? [])])).toEqual([['uid-1']]);
    await creating;
  });

  it('that the API server refuses is forgotten and no longer holds its pods', async () => {
    await createPool(world);
    const [made] = await create(plannedNode({ requirements: [{ key: 'not a key', operator: 'Exists' }] }));
    expect(made).toMatchObject({ error: { message: expect.stringContaining('Invalid value') } });
    expect(world.cluster.snapshot().launching).toEqual([]);
  });

  it('is refused when its NodePool exceeds its limits, and others are created', async () => {
    await createPool(world, testPool('small', { limits: { cpu: '3' } }));
    await createPool(world, testPool('exact', { limits: { cpu: '4' } }));
    for (const pool of ['small', 'exact']) {
      const { status, ...launched } = claim(`${pool}-1`, { pool, providerID: `cloud://${pool}` });
      await world.client.create(nodeClaims, launched);
      const body = { status: { providerID: status?.providerID, capacity: { cpu: '4' } } };
      const key = { name: `${pool}-1` };
      await world.client.patch(nodeClaims, key, { type: 'merge', body }, { subresource: 'status' });
    }
    await world.until(() => world.cluster.snapshot().nodeStates.length === 2);
    const made = await create(plannedNode({ nodePool: 'small' }), plannedNode({ nodePool: 'exact' }));
    expect(made).toMatchObject([
      {
        error: {
          code: 'limit-exceeded',
          message: 'creating node claim, resource usage exceeds limit (limit=3, resource-name=cpu, usage=4)',
        },
      },
      { nodeClaim: {} },
    ]);
  });

  it('is built from the NodePool as planned, even if it changed since', async () => {
    await createPool(world, testPool('default', { labels: { team: 'a' } }));
    const snapshot = world.cluster.snapshot();
    const body = { spec: { template: { metadata: { labels: { team: 'b' } } } } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await world.until(() => world.cluster.snapshot().revision > snapshot.revision);
    const [made] = await createNodeClaims(world, [plannedNode()], { reason: 'provisioned', snapshot });
    expect(made).toMatchObject({ nodeClaim: { metadata: { labels: { team: 'a' } } } });
  });

  it('is not created for a deleted NodePool', async () => {
    await createPool(world);
    const snapshot = world.cluster.snapshot();
    await world.client.delete(nodePools, { name: 'default' });
    await world.until(() => world.cluster.snapshot().nodePools.length === 0);
    const [made] = await createNodeClaims(world, [plannedNode()], { reason: 'provisioned', snapshot });
    expect(made).toMatchObject({ error: { code: 'node-pool-gone' } });
  });

  it('gets another name if its own is taken', async () => {
    await createPool(world);
    const names: string[] = [];
    const client = creatingBy((kind, object) => {
      names.push(object.metadata?.name ?? '');
      const taken = { reason: 'AlreadyExists', code: 409, message: 'taken', causes: [] };
      if (names.length === 1) throw new ApiError('create nodeclaim', taken);
      return world.client.create(kind, object);
    });
    const snapshot = world.cluster.snapshot();
    const [made] = await createNodeClaims({ ...world, client }, [plannedNode()], {
      reason: 'provisioned',
      snapshot,
    });
    expect(new Set(names).size).toBe(2);
    expect(made).toMatchObject({ nodeClaim: { metadata: { name: names[1] } } });
    const { launching } = world.cluster.snapshot();
    expect(launching.map(({ nodeClaim }) => nodeClaim.metadata.name)).toEqual([names[1]]);
  });

  it('is read back when the request gets no answer, and not created twice', async () => {
    await createPool(world);
    const client = creatingBy(async (kind, object) => {
      await world.client.create(kind, object);
      throw new ConnectionError('create nodeclaim', 'the connection was reset');
    });
    const snapshot = world.cluster.snapshot();
    const [made] = await createNodeClaims({ ...world, client }, [plannedNode()], {
      reason: 'provisioned',
      snapshot,
    });
    const { items } = await world.client.list(nodeClaims);
    expect(items).toHaveLength(1);
    expect(made).toMatchObject({ nodeClaim: { metadata: { name: items[0]?.metadata.name } } });
  });

  it('that never reached the API server is forgotten', async () => {
    await createPool(world);
    const client = creatingBy(() => {
      throw new ConnectionError('create nodeclaim', 'the connection was reset');
    });
    const snapshot = world.cluster.snapshot();
    const [made] = await createNodeClaims({ ...world, client }, [plannedNode()], {
      reason: 'provisioned',
      snapshot,
    });
    expect(made).toMatchObject({ error: expect.any(ConnectionError) });
    expect(world.cluster.snapshot().launching).toEqual([]);
  });
});

/** The client with another way to create objects. */
function creatingBy(create: KubeClient['create']): KubeClient {
  const { client } = world;
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'create') return create;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
