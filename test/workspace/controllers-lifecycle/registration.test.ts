import { nodeClaimLifecycle, nodeClaims, nodePools, RegistrationHealth } from '@karpenter/controllers';
import { minutes, nodeClaimMetrics, nodeMetrics, seconds } from '@karpenter/core/api';
import type { RegistrationHook } from '@karpenter/core/ports';
import { isNotFound, kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { Driver } from './driver.ts';
import { createClaim, createNodePool, instanceType, joinNode, unregistered } from './objects.ts';

let world: ControllerWorld;
let driver: Driver;

beforeEach(async () => {
  world = await startControllerWorld({ types: [instanceType] });
  const registrationHealth = new RegistrationHealth(world);
  driver = new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth }));
});

afterEach(() => world.stop());

const providerId = 'memory:///instance-1';
const claim = () => readClaim(world, 'a');
const node = () => readNode(world, 'node-a');
const registered = async () => conditionsOf(await claim())['Registered'];

const poolHealth = async () =>
  conditionsOf(await world.client.get(nodePools, { name: 'default' }))['NodeRegistrationHealthy'];

async function launch(parts: Parameters<typeof createClaim>[2] = {}): Promise<void> {
  await createClaim(world, 'a', parts);
  await driver.settle();
}

describe('a Node that joins', () => {
  it('is found by its provider ID and registered, ready or not', async () => {
    await launch();
    expect(await registered()).toBe('Unknown NodeNotFound: Node not registered with cluster');
    await joinNode(world, 'other', 'memory:///instance-9');
    await joinNode(world, 'node-a', providerId, { isReady: false });
    await driver.settle();
    expect(await registered()).toBe('True Registered: ');
    expect((await claim()).status?.nodeName).toBe('node-a');
    expect((await node()).metadata?.labels).toMatchObject({ 'karpenter.sh/registered': 'true' });
    expect((await readNode(world, 'other')).spec?.taints).toEqual([unregistered]);
  });

  it('is logged, counted and recorded for the health of its NodePool', async () => {
    const pool = await createNodePool(world);
    await launch({ poolUid: pool.metadata.uid ?? '' });
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    expect(world.log.of('registered nodeclaim')).toEqual([
      { 'provider-id': providerId, Node: { name: 'node-a' } },
    ]);
    expect(world.meters.values(nodeMetrics.created, { nodepool: 'default', zone: 'zone-a' })).toEqual([1]);
    expect(await poolHealth()).toBe('True NodeRegistrationHealthy: ');
  });

  it('is not recorded for a NodePool that does not own its claim', async () => {
    await createNodePool(world);
    await launch();
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    expect(await registered()).toBe('True Registered: ');
    expect(await poolHealth()).toBeUndefined();
  });

  it('gets finalizer, owner, labels, annotations and taints of its claim, and loses the unregistered taint', async () => {
    await launch({
      labels: { team: 'a' },
      annotations: { note: 'b' },
      taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
      startupTaints: [{ key: 'cni', effect: 'NoExecute' }],
    });
    const labels = { team: 'kubelet', own: 'kept' };
    await joinNode(world, 'node-a', providerId, { labels });
    await driver.settle();
    const { metadata, spec } = await node();
    expect(metadata).toMatchObject({
      finalizers: ['karpenter.sh/termination'],
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodeClaim',
          name: 'a',
          uid: (await claim()).metadata.uid,
          blockOwnerDeletion: true,
        },
      ],
      labels: { team: 'a', own: 'kept', 'karpenter.sh/nodepool': 'default' },
      annotations: { note: 'b' },
    });
    expect(spec?.taints).toEqual([
      { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
      { key: 'cni', effect: 'NoExecute' },
    ]);
  });

  it('keeps an existing taint, whatever its value', async () => {
    await launch({ taints: [{ key: 'gpu', value: 'claim', effect: 'NoSchedule' }] });
    const own = { key: 'gpu', value: 'node', effect: 'NoSchedule' };
    await joinNode(world, 'node-a', providerId, { taints: [unregistered, own] });
    await driver.settle();
    expect((await node()).spec?.taints).toEqual([own]);
  });

  it('gets no taints of its claim when it has the label that disables them', async () => {
    await launch({ taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    await joinNode(world, 'node-a', providerId, { labels: { 'karpenter.sh/do-not-sync-taints': 'true' } });
    await driver.settle();
    expect((await node()).spec?.taints ?? []).toEqual([]);
  });

  it('is registered with a warning when the unregistered taint is missing', async () => {
    await launch();
    await joinNode(world, 'node-a', providerId, { taints: [] });
    await driver.settle();
    expect(await registered()).toBe('True Registered: ');
    expect(world.log.of('node claim registration error')).toEqual([
      { error: 'missing required startup taint, karpenter.sh/unregistered' },
    ]);
    expect(world.recorder.texts).toEqual([
      'NodeClaim/a UnregisteredTaintMissing: Missing karpenter.sh/unregistered taint which prevents registration related race conditions on Karpenter-managed nodes',
    ]);
  });

  it('does not get a startup taint back that was removed later', async () => {
    await launch({ startupTaints: [{ key: 'cni', effect: 'NoSchedule' }] });
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    await world.client.patch(
      kinds.node,
      { name: 'node-a' },
      { type: 'merge', body: { spec: { taints: [] } } },
    );
    await driver.pass(minutes(1));
    expect((await node()).spec?.taints ?? []).toEqual([]);
  });

  it('is registered only once even if the first status write fails', async () => {
    await launch();
    const patch = world.client.patch.bind(world.client);
    let refusals = 2;
    world.client.patch = async (kind, key, change, options) => {
      if (options?.subresource !== 'status' || refusals === 0) return patch(kind, key, change, options);
      refusals -= 1;
      throw new Error('the server is away');
    };
    await joinNode(
      { client: { ...world.client, create: world.client.create.bind(world.client), patch } },
      'node-a',
      providerId,
    );
    await driver.pass(seconds(10));
    expect(await registered()).toBe('True Registered: ');
    expect(world.log.of('registered nodeclaim')).toHaveLength(1);
    expect(world.log.of('node claim registration error')).toEqual([]);
    expect(world.meters.values(nodeMetrics.created)).toEqual([1]);
  });
});

describe('a claim with several Nodes', () => {
  it('is not registered, and times out', async () => {
    await launch();
    await joinNode(world, 'node-a', providerId);
    await joinNode(world, 'node-b', providerId);
    await driver.settle();
    expect(await registered()).toBe('False MultipleNodesFound: Invariant violated, matched multiple nodes');
    await world.client.delete(kinds.node, { name: 'node-b' });
    await driver.pass(minutes(15));
    expect(await registered().catch((error: unknown) => isNotFound(error))).toBe(true);
    expect(world.meters.values(nodeClaimMetrics.disrupted, { reason: 'registration_timeout' })).toEqual([1]);
  });
});

describe('a claim without an instance', () => {
  it('matches no Node, not even one without a provider ID', async () => {
    world.cloud.fail('create', new Error('not now'));
    await joinNode(world, 'node-a', '');
    await createClaim(world, 'a');
    await driver.settle();
    expect(await registered()).toBe('Unknown NodeNotFound: Node not registered with cluster');
  });
});

describe('registration hooks', () => {
  const hook = (name: string, registers: RegistrationHook['registered']): RegistrationHook => ({
    name,
    registered: registers,
  });

  it('block registration until all are done, while the Node gets its labels and taints', async () => {
    let isDone = false;
    world.cloud.registrationHooks = [
      hook('first', async () => ({ done: true })),
      hook('second', async () => (isDone ? { done: true } : { done: false, requeueAfter: seconds(7) })),
      hook('third', async () => (isDone ? { done: true } : { done: false, requeueAfter: seconds(3) })),
    ];
    await launch({ taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    expect(await registered()).toBe('Unknown RegistrationHookPending: second, third');
    const { metadata, spec } = await node();
    expect(metadata?.finalizers).toEqual(['karpenter.sh/termination']);
    expect(metadata?.labels).not.toHaveProperty('karpenter.sh/registered');
    expect(spec?.taints).toEqual([unregistered, { key: 'gpu', effect: 'NoSchedule' }]);
    isDone = true;
    await driver.pass(seconds(3) - 1);
    expect(await registered()).toContain('RegistrationHookPending');
    await driver.pass(1);
    expect(await registered()).toBe('True Registered: ');
    expect((await node()).spec?.taints).toEqual([{ key: 'gpu', effect: 'NoSchedule' }]);
  });

  it('that fail are listed as pending and retried', async () => {
    let failures = 1;
    world.cloud.registrationHooks = [
      hook('flaky', async () => {
        if (failures === 0) return { done: true };
        failures -= 1;
        throw new Error('no answer');
      }),
    ];
    await launch();
    await joinNode(world, 'node-a', providerId);
    await driver.caughtUp();
    await driver.reconcile('a');
    expect(await registered()).toBe('Unknown RegistrationHookPending: flaky');
    expect(driver.errors.map(({ message }) => message)).toEqual([
      'registration hook "flaky" failed, no answer',
    ]);
    await driver.pass(seconds(1));
    expect(await registered()).toBe('True Registered: ');
  });

  it('run at the same time', async () => {
    const heard: string[] = [];
    const slow = (name: string) =>
      hook(name, async () => {
        heard.push(`${name} asked`);
        await Promise.resolve();
        heard.push(`${name} answered`);
        return { done: true };
      });
    world.cloud.registrationHooks = [slow('first'), slow('second')];
    await launch();
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    expect(heard).toEqual(['first asked', 'second asked', 'first answered', 'second answered']);
  });

  it('add labels to claim and node', async () => {
    world.cloud.registrationHooks = [
      hook('labels', async () => ({ done: true, labels: { 'example.com/rack': 'r1' } })),
    ];
    await launch();
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    expect((await claim()).metadata.labels).toMatchObject({ 'example.com/rack': 'r1' });
    expect((await node()).metadata?.labels).toMatchObject({ 'example.com/rack': 'r1' });
  });
});

describe('an instance that never joins', () => {
  it('times out 15 min after the creation of its claim, and is recorded as a failure of its NodePool', async () => {
    const pool = await createNodePool(world);
    for (const name of ['a', 'b']) await createClaim(world, name, { poolUid: pool.metadata.uid ?? '' });
    await driver.pass(minutes(15) - 1);
    expect((await world.client.list(nodeClaims)).items).toHaveLength(2);
    await driver.pass(1 + seconds(10));
    expect((await world.client.list(nodeClaims)).items).toHaveLength(0);
    expect(world.cloud.instances.size).toBe(0);
    expect(world.log.of('terminating due to timeout')).toEqual([
      { timeout: '15m0s', reason: 'registration_timeout' },
      { timeout: '15m0s', reason: 'registration_timeout' },
    ]);
    expect(await poolHealth()).toBe('False RegistrationFailed: Failed to register node');
  });

  it('is recorded before its claim is deleted', async () => {
    const pool = await createNodePool(world);
    for (const name of ['a', 'b']) await createClaim(world, name, { poolUid: pool.metadata.uid ?? '' });
    await driver.pass(minutes(15) - 1);
    const healthAtDeletion: (string | undefined)[] = [];
    const remove = world.client.delete.bind(world.client);
    world.client.delete = async (kind, key, options) => {
      healthAtDeletion.push(await poolHealth());
      return remove(kind, key, options);
    };
    await driver.pass(1 + seconds(10));
    expect((await world.client.list(nodeClaims)).items).toHaveLength(0);
    expect(healthAtDeletion[0]).toBeUndefined();
    expect(healthAtDeletion[1]).toBe('False RegistrationFailed: Failed to register node');
  });

  it('is recorded once, however often its claim cannot be deleted', async () => {
    const pool = await createNodePool(world);
    await createClaim(world, 'a', { poolUid: pool.metadata.uid ?? '' });
    let refusals = 3;
    const remove = world.client.delete.bind(world.client);
    world.client.delete = (kind, key, options) => {
      refusals -= 1;
      return refusals < 0 ? remove(kind, key, options) : Promise.reject(new Error('no answer'));
    };
    await driver.pass(minutes(16));
    expect(driver.errors).toHaveLength(3);
    expect((await world.client.list(nodeClaims)).items).toHaveLength(0);
    expect(await poolHealth()).toBeUndefined();
  });

  it('is deleted and counted even if the condition of its NodePool cannot be written', async () => {
    const pool = await createNodePool(world);
    for (const name of ['a', 'b']) await createClaim(world, name, { poolUid: pool.metadata.uid ?? '' });
    const patch = world.client.patch.bind(world.client);
    let isRefused = true;
    world.client.patch = (kind, key, change, options) =>
      kind.kind === 'NodePool' && isRefused
        ? Promise.reject(new Error('no answer'))
        : patch(kind, key, change, options);
    await driver.pass(minutes(15) + seconds(10));
    expect((await world.client.list(nodeClaims)).items).toHaveLength(0);
    expect(driver.errors.map(({ message }) => message)).toEqual(['no answer']);
    isRefused = false;
    await createClaim(world, 'c', { poolUid: pool.metadata.uid ?? '' });
    await driver.pass(minutes(15) + seconds(10));
    expect(await poolHealth()).toBe('False RegistrationFailed: Failed to register node');
  });

  it('reports the reason when it was never launched', async () => {
    const pool = await createNodePool(world);
    world.cloud.fail('create', new Error('no permission'));
    for (const name of ['a', 'b']) await createClaim(world, name, { poolUid: pool.metadata.uid ?? '' });
    await driver.pass(minutes(5));
    expect(await poolHealth()).toBe('False LaunchFailed: no permission');
  });
});
