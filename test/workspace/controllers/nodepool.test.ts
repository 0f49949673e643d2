import {
  Cluster,
  nodeClaims,
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePools,
  nodePoolValidation,
  RegistrationHealth,
} from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import { stateKinds } from '@karpenter/core/state';
import { claim } from '@karpenter/testkit/cluster-objects';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNode, createNodeClass, nodeClasses, noTime, testPool } from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld();
});

afterEach(() => world.stop());

const read = (name = 'default') => world.client.get(nodePools, { name });
const conditionOf = (nodePool: NodePool, type: string) =>
  nodePool.status?.conditions?.find((condition) => condition.type === type);

/** Waits until the condition has the status. */
const conditionIs = (type: string, status: string, name = 'default') =>
  world.until(async () => {
    const condition = conditionOf(await read(name), type);
    return condition?.status === status ? condition : undefined;
  });

const poolKnown = (name = 'default') => world.until(() => world.caches.of(nodePools).get({ name }), noTime);

describe('readiness', () => {
  it('reports the state of the NodeClass, from missing to ready and back', async () => {
    world.run(nodePoolReadiness(world));
    await world.client.create(nodePools, testPool());
    expect(await conditionIs('NodeClassReady', 'False')).toMatchObject({
      reason: 'NodeClassNotFound',
      message: 'NodeClass not found on cluster',
    });
    await createNodeClass(world, 'default', undefined);
    await world.until(
      async () => conditionOf(await read(), 'NodeClassReady')?.reason === 'NodeClassReadinessUnknown',
    );
    const ready = (status: 'True' | 'False') => ({
      status: {
        conditions: [
          {
            type: 'Ready',
            status,
            reason: status === 'True' ? 'Ready' : 'SubnetsNotFound',
            message: status === 'True' ? '' : 'no subnets',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    const patch = (status: 'True' | 'False') =>
      world.client.patch(
        nodeClasses,
        { name: 'default' },
        { type: 'merge', body: ready(status) },
        { subresource: 'status' },
      );
    await patch('True');
    expect(await conditionIs('NodeClassReady', 'True')).toMatchObject({
      reason: 'NodeClassReady',
      message: '',
    });
    await patch('False');
    expect(await conditionIs('NodeClassReady', 'False')).toMatchObject({
      reason: 'SubnetsNotFound',
      message: 'no subnets',
    });
  });

  it('reports that the NodeClass is being deleted', async () => {
    world.run(nodePoolReadiness(world));
    await createNodeClass(world);
    const body = { metadata: { finalizers: ['example.com/wait'] } };
    await world.client.patch(nodeClasses, { name: 'default' }, { type: 'merge', body });
    await world.client.create(nodePools, testPool());
    await conditionIs('NodeClassReady', 'True');
    await world.client.delete(nodeClasses, { name: 'default' });
    expect(await conditionIs('NodeClassReady', 'False')).toMatchObject({
      reason: 'NodeClassTerminating',
      message: 'NodeClass is Terminating',
    });
  });

  it('leaves NodePools of other cloud providers alone', async () => {
    world.run(
      nodePoolReadiness(world),
      nodePoolHashing(world),
      nodePoolValidation(world),
      nodePoolCounter(world),
    );
    const { spec, ...rest } = testPool('foreign');
    const nodeClassRef = { group: 'other.example.com', kind: 'Other', name: 'default' };
    const template = { ...spec.template, spec: { ...spec.template.spec, nodeClassRef } };
    await world.client.create(nodePools, { ...rest, spec: { ...spec, template } });
    await world.client.create(nodePools, testPool());
    await conditionIs('ValidationSucceeded', 'True');
    await world.until(async () => (await read()).status?.resources);
    const foreign = await read('foreign');
    expect(foreign.status?.conditions).toBeUndefined();
    expect(foreign.metadata.annotations).toBeUndefined();
  });
});

describe('validation and readiness together', () => {
  it('make a NodePool ready', async () => {
    world.run(nodePoolReadiness(world), nodePoolValidation(world));
    await createNodeClass(world);
    await world.client.create(nodePools, testPool());
    expect(await conditionIs('Ready', 'True')).toMatchObject({
      reason: 'Ready',
      message: '',
      observedGeneration: 1,
    });
  });

  it('report what is invalid in a NodePool until it is fixed', async () => {
    world.run(nodePoolReadiness(world), nodePoolValidation(world));
    await createNodeClass(world);
    const taint = { key: 'gpu', effect: 'NoSchedule' } as const;
    await world.client.create(nodePools, testPool('default', { taints: [taint], startupTaints: [taint] }));
    expect(await conditionIs('ValidationSucceeded', 'False')).toMatchObject({
      reason: 'NodePoolValidationFailed',
      message: 'duplicate taint Key/Effect pair gpu=NoSchedule',
    });
    expect(await conditionIs('Ready', 'False')).toMatchObject({ reason: 'UnhealthyDependents' });
    const body = { spec: { template: { spec: { startupTaints: null } } } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await conditionIs('Ready', 'True');
  });

  it('log unknown values beside known ones', async () => {
    world.run(nodePoolValidation(world));
    const key = 'karpenter.sh/capacity-type';
    const requirements = [{ key, operator: 'In' as const, values: ['spot', 'sport'] }];
    await world.client.create(nodePools, testPool('default', { requirements }));
    await conditionIs('ValidationSucceeded', 'True');
    expect(world.log.of('please correct found invalid values, proceeding with valid values')[0]).toEqual({
      key,
      'valid-values': ['spot'],
      'invalid-values': ['sport'],
    });
  });
});

describe('the hash', () => {
  const hashKey = 'karpenter.sh/nodepool-hash';
  const versionKey = 'karpenter.sh/nodepool-hash-version';

  it('is on the NodePool and changes with its template, not with its requirements or limits', async () => {
    world.run(nodePoolHashing(world));
    await world.client.create(nodePools, testPool());
    const hashed = () => world.until(async () => (await read()).metadata.annotations?.[hashKey]);
    const first = await hashed();
    expect((await read()).metadata.annotations).toMatchObject({ [versionKey]: 'v3' });
    const change = (body: object) =>
      world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await change({ spec: { limits: { cpu: '5' } } });
    await change({ spec: { template: { metadata: { labels: { team: 'a' } } } } });
    await world.until(async () => (await hashed()) !== first);
  });

  it('of an older version is replaced on NodeClaims first, except on drifted ones', async () => {
    await world.client.create(nodePools, {
      ...testPool(),
      metadata: { name: 'default', annotations: { [versionKey]: 'v2', [hashKey]: '1' } },
    });
    const annotations = { [versionKey]: 'v2', [hashKey]: '7' };
    for (const name of ['usual', 'drifted', 'current']) {
      const { status, ...unlaunched } = claim(name, {
        annotations: name === 'current' ? { [versionKey]: 'v3', [hashKey]: '8' } : annotations,
        conditions: name === 'drifted' ? ['Drifted'] : [],
      });
      await world.client.create(nodeClaims, unlaunched);
      const body = { status: { conditions: status?.conditions } };
      await world.client.patch(nodeClaims, { name }, { type: 'merge', body }, { subresource: 'status' });
    }
    await world.until(
      () =>
        world.caches
          .of(nodeClaims)
          .list()
          .filter(({ status }) => status?.conditions !== undefined).length === 3,
      noTime,
    );
    world.run(nodePoolHashing(world));
    await world.until(async () => (await read()).metadata.annotations?.[versionKey] === 'v3');
    const hash = (await read()).metadata.annotations?.[hashKey];
    const hashes = (await world.client.list(nodeClaims)).items.map(({ metadata }) => [
      metadata.name,
      metadata.annotations?.[versionKey],
      metadata.annotations?.[hashKey],
    ]);
    expect(new Set(hashes)).toEqual(
      new Set([
        ['usual', 'v3', hash],
        ['drifted', 'v3', '7'],
        ['current', 'v3', '8'],
      ]),
    );
  });
});

describe('the counter', () => {
  it('starts at zero and follows nodes as they come and go', async () => {
    world.run(nodePoolCounter(world));
    await world.client.create(nodePools, testPool());
    const none = { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' };
    await world.until(async () => (await read()).status?.resources);
    expect((await read()).status).toMatchObject({ resources: none, nodes: 0 });
    await createNode(world, 'node-1');
    await world.until(async () => (await read()).status?.nodes === 1);
    expect((await read()).status?.resources).toEqual({
      ...none,
      cpu: '4',
      memory: '16Gi',
      pods: '110',
      nodes: '1',
    });
    const [state] = world.cluster.snapshot().nodeStates;
    world.cluster.learn({ type: 'markedForDeletion', nodes: [state?.id ?? ''] });
    await world.until(async () => (await read()).status?.nodes === 0);
    expect((await read()).status?.resources).toEqual(none);
  });

  it('runs every five seconds, and every second until the state is synced', async () => {
    const { caches, clock } = world;
    const periodOf = (context: typeof world) => {
      const runnable = nodePoolCounter(context);
      return 'singleton' in runnable && runnable.singleton.reconcile(new AbortController().signal);
    };
    expect(await periodOf(world)).toEqual({ requeueAfter: 5_000 });
    const unsynced = new Cluster({ caches, clock, kinds: stateKinds });
    expect(await periodOf({ ...world, cluster: unsynced })).toEqual({ requeueAfter: 1_000 });
  });

  it('removes resources that no node has any more', async () => {
    await world.client.create(nodePools, testPool());
    const body = { status: { nodes: 3, resources: { 'nvidia.com/gpu': '3', cpu: '1' } } };
    await world.client.patch(
      nodePools,
      { name: 'default' },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    world.run(nodePoolCounter(world));
    await world.until(async () => (await read()).status?.nodes === 0);
    expect((await read()).status?.resources).not.toHaveProperty('nvidia.com/gpu');
  });
});

describe('registration health', () => {
  const health = () => conditionIs('NodeRegistrationHealthy', 'Unknown');

  async function begin(): Promise<RegistrationHealth> {
    const registrations = new RegistrationHealth(world);
    world.run(nodePoolRegistrationHealth(world, registrations));
    await createNodeClass(world);
    await world.client.create(nodePools, testPool());
    await health();
    expect((await read()).status?.nodeClassObservedGeneration).toBe(1);
    return registrations;
  }

  it('turns True with a success and False with the second failure', async () => {
    const registrations = await begin();
    await registrations.record(await read(), { result: 'success' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({
      status: 'True',
      message: '',
    });
    await registrations.record(await read(), { result: 'failure' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({ status: 'True' });
    await registrations.record(await read(), { result: 'failure' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({
      status: 'False',
      reason: 'RegistrationFailed',
      message: 'Failed to register node',
    });
  });

  it('takes the reason of a failed launch', async () => {
    const registrations = await begin();
    const failure = { reason: 'LaunchFailed', message: 'no capacity' };
    await registrations.record(await read(), { result: 'failure' }, failure);
    await registrations.record(await read(), { result: 'failure' }, failure);
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({
      status: 'False',
      ...failure,
    });
  });

  it('does not change on a success that leaves it unhealthy', async () => {
    const registrations = await begin();
    const failure = { reason: 'LaunchFailed', message: 'no capacity' };
    for (let times = 0; times < 2; times += 1)
      await registrations.record(await read(), { result: 'failure' }, failure);
    const before = conditionOf(await read(), 'NodeRegistrationHealthy');
    await registrations.record(await read(), { result: 'success' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toEqual(before);
  });

  it('does not affect whether a NodePool is ready', async () => {
    const registrations = await begin();
    await registrations.record(await read(), { result: 'failure' });
    await registrations.record(await read(), { result: 'failure' });
    expect(conditionOf(await read(), 'Ready')).toMatchObject({ status: 'Unknown' });
  });

  it('is reset when the NodePool changes', async () => {
    const registrations = await begin();
    await registrations.record(await read(), { result: 'success' });
    const body = { spec: { limits: { cpu: '5' } } };
    await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body });
    await health();
    await registrations.record(await read(), { result: 'failure' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown' });
  });

  it('is reset when the NodeClass changes', async () => {
    const registrations = await begin();
    await registrations.record(await read(), { result: 'success' });
    await world.client.patch(
      nodeClasses,
      { name: 'default' },
      { type: 'merge', body: { spec: { note: 'new' } } },
    );
    await health();
    expect((await read()).status?.nodeClassObservedGeneration).toBe(2);
  });

  it('continues from the condition after a restart', async () => {
    const before = await begin();
    await before.record(await read(), { result: 'failure' });
    await before.record(await read(), { result: 'failure' });
    await poolKnown();
    const after = new RegistrationHealth(world);
    await after.record(await read(), { result: 'success' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({ status: 'False' });
    for (let times = 0; times < 2; times += 1) await after.record(await read(), { result: 'success' });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({ status: 'True' });
  });

  it('is written even if another writer changed the NodePool meanwhile', async () => {
    const registrations = await begin();
    const stale = await read();
    const body = { status: { nodes: 5 } };
    await world.client.patch(
      nodePools,
      { name: 'default' },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    await registrations.record(stale, { result: 'success' });
    expect(await read()).toMatchObject({ status: { nodes: 5 } });
    expect(conditionOf(await read(), 'NodeRegistrationHealthy')).toMatchObject({ status: 'True' });
  });
});
