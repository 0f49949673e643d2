import { nodeClaimDisruption, nodeClaims, nodePools } from '@karpenter/controllers';
import type { Kind, KubeClient, ObjectKey, Patch } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { createNode, patchStatus, poolOf, types } from './nodes.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ types });
});

afterEach(() => world.stop());

const run = () => world.run(nodeClaimDisruption(world));
const conditionOf = async (type: string, name = 'claim-n') => {
  const { status } = await world.client.get(nodeClaims, { name });
  return status?.conditions?.find((condition) => condition.type === type);
};
const driftedBecause = (reason: string) =>
  world.until(async () => (await conditionOf('Drifted'))?.reason === reason);

describe('Drifted', () => {
  it('is set when the template of the NodePool changed, and cleared when it is changed back', async () => {
    const annotations = (hash: string) => ({
      'karpenter.sh/nodepool-hash': hash,
      'karpenter.sh/nodepool-hash-version': 'v3',
    });
    await createPool(world, poolOf('default', { annotations: annotations('2') }));
    await createNode(world, 'n', { claimAnnotations: annotations('1') });
    run();
    await driftedBecause('NodePoolDrifted');
    expect(world.log.of('marking drifted')).toEqual([{ reason: 'NodePoolDrifted' }]);
    const body = { metadata: { annotations: annotations('1') } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await world.until(async () => (await conditionOf('Drifted')) === undefined);
  });

  it('is set when the labels no longer satisfy the requirements of the NodePool', async () => {
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['b'] }];
    await createPool(world, poolOf('default', { requirements }));
    await createNode(world, 'n', { zone: 'a' });
    run();
    await driftedBecause('RequirementsDrifted');
  });

  it('is set when the instance type is no longer offered, on claims older than an hour', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n', { type: 'retired' });
    run();
    await world.until(async () => (await conditionOf('Consolidatable')) !== undefined);
    expect(await conditionOf('Drifted')).toBeUndefined();
    await world.clock.advance(61 * 60_000);
    await driftedBecause('InstanceTypeNotFound');
  });

  it('is set for reasons of the cloud provider, checked every five minutes', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n');
    run();
    await world.until(() => world.cloud.callsOf('driftReason').length > 0);
    world.cloud.drifted.set('cloud://n', 'ImageDrift');
    await world.until(async () => (await conditionOf('Drifted'))?.reason === 'ImageDrift', 10_000);
    expect(await conditionOf('Drifted')).toMatchObject({ status: 'True', message: 'ImageDrift' });
  });

  it('has the first of several reasons: requirements, then instance type, then cloud provider', async () => {
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['b'] }];
    await createPool(world, poolOf('default', { requirements }));
    await createNode(world, 'n', { type: 'retired', zone: 'a' });
    world.cloud.drifted.set('cloud://n', 'ImageDrift');
    await world.clock.advance(61 * 60_000);
    run();
    await driftedBecause('RequirementsDrifted');
    const body = { spec: { template: { spec: { requirements: [] } } } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await driftedBecause('InstanceTypeNotFound');
    expect(world.cloud.callsOf('driftReason')).toEqual([]);
  });

  it('lists instance types at most every 30 min while the type is offered', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n');
    await world.clock.advance(61 * 60_000);
    const listCalls = () => world.cloud.callsOf('instanceTypes').length;
    const before = listCalls();
    run();
    await world.until(() => listCalls() > before);
    const first = world.clock.now();
    await world.until(() => listCalls() > before + 1, 60_000);
    expect(world.clock.now() - first).toBeGreaterThanOrEqual(29 * 60_000);
  });

  it('is left as it is on claims that are being deleted, and where the NodePool is gone', async () => {
    await createNode(world, 'n', { pool: 'gone', conditions: ['Drifted'] });
    await createPool(world, poolOf());
    await createNode(world, 'going', { conditions: ['Drifted'] });
    await createNode(world, 'judged', { conditions: ['Drifted'] });
    await world.client.delete(nodeClaims, { name: 'claim-going' });
    const isGoing = () =>
      world.caches.of(nodeClaims).get({ name: 'claim-going' })?.metadata.deletionTimestamp !== undefined;
    await world.until(isGoing);
    run();
    await world.until(async () => (await conditionOf('Drifted', 'claim-judged')) === undefined);
    expect(await conditionOf('Drifted')).toMatchObject({ status: 'True' });
    expect(await conditionOf('Drifted', 'claim-going')).toMatchObject({ status: 'True' });
  });

  it('is cleared while the claim is not launched', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n', { conditions: ['Drifted'] });
    const { status } = await world.client.get(nodeClaims, { name: 'claim-n' });
    const conditions = status?.conditions?.map((condition) =>
      condition.type === 'Launched' ? { ...condition, status: 'Unknown' } : condition,
    );
    await patchStatus(world, nodeClaims, 'claim-n', { conditions });
    run();
    await world.until(async () => (await conditionOf('Drifted')) === undefined);
  });
});

describe('Consolidatable', () => {
  const quiet = (seconds: number) => poolOf('default', { disruption: { consolidateAfter: `${seconds}s` } });

  it('is set when no pod has come or gone for consolidateAfter', async () => {
    await createPool(world, quiet(60));
    const now = new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');
    await createNode(world, 'n', { lastPodEventTime: now });
    run();
    await world.until(async () => (await conditionOf('Consolidatable')) === undefined);
    const waited = world.clock.now();
    await world.until(async () => (await conditionOf('Consolidatable'))?.status === 'True');
    expect(world.clock.now() - waited).toBeLessThanOrEqual(62_000);
    expect(world.log.of('removing consolidatable status condition')).toEqual([
      { reason: 'recent pod event' },
    ]);
    expect(world.log.of('marking consolidatable')).toHaveLength(1);
  });

  it('is cleared when the NodePool disables consolidation', async () => {
    await createPool(world, poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'n');
    run();
    await world.until(async () => (await conditionOf('Consolidatable')) === undefined);
  });

  it('is not maintained for static NodePools', async () => {
    await createPool(world, poolOf('default', { replicas: 1, disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'n');
    run();
    await world.until(() => world.cloud.callsOf('driftReason').length > 0);
    expect(await conditionOf('Consolidatable')).toMatchObject({ status: 'True' });
  });
});

/** The value with the fields of its objects in alphabetical order, as a real API server stores custom resources. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

describe('conditions that have not changed', () => {
  it('are not written again when the API server stores their fields in another order', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n');
    let writes = 0;
    const client: KubeClient = new Proxy(world.client, {
      get: (target, name) => {
        const method = Reflect.get(target, name);
        if (name !== 'patch') return method.bind(target);
        return (kind: Kind, key: ObjectKey, patch: Patch, options: object) => {
          writes += 1;
          return target.patch(kind, key, sorted(patch) as Patch, options);
        };
      },
    });
    world.run(nodeClaimDisruption({ ...world, client }));
    await world.until(async () => (await conditionOf('Consolidatable')) !== undefined);
    const reconciles = () => world.cloud.callsOf('driftReason').length;
    for (const value of ['1', '2', '3']) {
      const before = reconciles();
      const body = { metadata: { annotations: { touched: value } } };
      await world.client.patch(nodeClaims, { name: 'claim-n' }, { type: 'merge', body });
      await world.until(() => reconciles() > before);
    }
    expect(writes).toBe(1);
  });
});
