import { nodeClaimLifecycle, nodeClaims, RegistrationHealth } from '@karpenter/controllers';
import { nodeClaimMetrics, seconds } from '@karpenter/core/api';
import { isNotFound, kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { Driver } from './driver.ts';
import { createClaim, instanceType, joinNode } from './objects.ts';

let world: ControllerWorld;
let driver: Driver;

beforeEach(async () => {
  world = await startControllerWorld({ types: [instanceType] });
  driver = lifecycle();
});

afterEach(() => world.stop());

function lifecycle(): Driver {
  const registrationHealth = new RegistrationHealth(world);
  return new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth }));
}

const providerId = 'memory:///instance-1';
const claim = () => readClaim(world, 'a');
const isGone = (reading: Promise<unknown>) => reading.then(() => false, isNotFound);

async function launch(parts: Parameters<typeof createClaim>[2] = {}): Promise<void> {
  await createClaim(world, 'a', parts);
  await driver.settle();
}

async function join(parts: Parameters<typeof createClaim>[2] = {}): Promise<void> {
  await launch(parts);
  await joinNode(world, 'node-a', providerId);
  await driver.settle();
}

/** Removes the finalizer, as node.termination does. */
async function releaseNode(): Promise<void> {
  const body = { metadata: { finalizers: null } };
  await world.client.patch(kinds.node, { name: 'node-a' }, { type: 'merge', body });
}

const deleteClaim = () => world.client.delete(nodeClaims, { name: 'a' });

describe('a deleted claim', () => {
  it('deletes its Node and terminates the instance after the Node is gone', async () => {
    await join();
    await deleteClaim();
    await driver.settle();
    expect((await readNode(world, 'node-a')).metadata?.deletionTimestamp).toBeDefined();
    await driver.pass(seconds(60));
    expect(world.cloud.callsOf('delete')).toEqual([]);
    await releaseNode();
    await driver.pass(seconds(6));
    expect(await isGone(claim())).toBe(true);
    expect(world.cloud.instances.size).toBe(0);
  });

  it('deletes every Node with its provider ID', async () => {
    await join();
    await joinNode(world, 'node-b', providerId);
    await deleteClaim();
    await driver.settle();
    expect((await readNode(world, 'node-a')).metadata?.deletionTimestamp).toBeDefined();
    expect(await isGone(readNode(world, 'node-b'))).toBe(true);
  });

  it('sets InstanceTerminating and polls every 5 s until the instance is gone', async () => {
    world.cloud.endsSlowly = true;
    await launch();
    await deleteClaim();
    await driver.caughtUp();
    await driver.reconcile('a');
    expect(conditionsOf(await claim())['InstanceTerminating']).toBe('True InstanceTerminating: ');
    await driver.settle();
    const asked = () => world.cloud.callsOf('delete').length;
    const before = asked();
    await driver.pass(seconds(5) - 1);
    expect(asked()).toBe(before);
    await driver.pass(1);
    await driver.settle();
    expect(asked()).toBe(before + 1);
    world.cloud.endsSlowly = false;
    await driver.pass(seconds(5));
    expect(await isGone(claim())).toBe(true);
  });

  it('is logged and counted when it is gone', async () => {
    await join();
    await deleteClaim();
    await driver.settle();
    await driver.pass(seconds(7));
    world.cloud.endsSlowly = true;
    await releaseNode();
    await driver.settle();
    world.cloud.endsSlowly = false;
    await driver.pass(seconds(5));
    await driver.settle();
    expect(world.log.of('deleted nodeclaim')).toEqual([
      { 'provider-id': providerId, Node: { name: 'node-a' } },
    ]);
    const nodepool = 'default';
    const { terminated, terminationDuration, instanceTerminationDuration } = nodeClaimMetrics;
    const labels = { nodepool, capacity_type: 'spot', zone: 'zone-a' };
    expect(world.meters.values(terminated, labels)).toEqual([1]);
    expect(world.meters.values(terminationDuration, { nodepool })).toEqual([12]);
    expect(world.meters.values(instanceTerminationDuration, { nodepool })).toEqual([5]);
  });

  it('is kept while the cloud provider cannot say whether its instance is gone', async () => {
    await launch();
    world.cloud.fail('delete', new Error('try later'));
    await deleteClaim();
    await driver.pass(seconds(90));
    expect(await isGone(claim())).toBe(false);
    expect(driver.errors.at(-1)?.message).toBe('try later');
    world.cloud.heal('delete');
    await driver.pass(seconds(70));
    expect(await isGone(claim())).toBe(true);
  });

  it('is removed at once when it never had an instance', async () => {
    world.cloud.fail('create', new Error('not yet'));
    await launch();
    await deleteClaim();
    await driver.settle();
    expect(await isGone(claim())).toBe(true);
    expect(world.cloud.callsOf('delete')).toEqual([]);
  });

  it('never deletes a Node that did not register', async () => {
    await launch();
    world.cloud.registrationHooks = [
      { name: 'slow', registered: async () => ({ done: false, requeueAfter: seconds(60) }) },
    ];
    await joinNode(world, 'node-a', providerId);
    await driver.settle();
    await deleteClaim();
    const remove = world.client.delete.bind(world.client);
    const deletions: string[] = [];
    world.client.delete = (kind, key, options) => {
      deletions.push(`${kind.kind} ${key.name}`);
      return remove(kind, key, options);
    };
    await driver.pass(seconds(10));
    expect(world.cloud.instances.size).toBe(0);
    expect(await isGone(claim())).toBe(true);
    expect(deletions).toEqual([]);
  });

  it('finishes the same after a restart at any moment', async () => {
    await join();
    await deleteClaim();
    await driver.settle();
    await releaseNode();
    await lifecycle().settle();
    await lifecycle().pass(seconds(6));
    expect(await isGone(claim())).toBe(true);
    expect(world.cloud.instances.size).toBe(0);
  });
});

describe('the grace period of a deleted claim', () => {
  const key = 'karpenter.sh/nodeclaim-termination-timestamp';

  it('is written as a timestamp, with a log line and an event', async () => {
    await join({ terminationGracePeriod: '1h30m' });
    await deleteClaim();
    const { metadata } = await claim();
    expect(metadata.deletionTimestamp).toBe('2026-01-01T00:00:00Z');
    await driver.settle();
    expect((await claim()).metadata.annotations?.[key]).toBe('2026-01-01T01:30:00Z');
    expect(world.log.of('annotated nodeclaim')).toEqual([{ [key]: '2026-01-01T01:30:00Z' }]);
    expect(world.recorder.texts).toEqual([
      'NodeClaim/a TerminationGracePeriodExpiring: All pods will be deleted by 2026-01-01T01:30:00Z',
    ]);
  });

  it('does not change an existing timestamp', async () => {
    await join({ terminationGracePeriod: '1h', annotations: { [key]: '2026-01-01T00:00:05Z' } });
    await deleteClaim();
    await driver.settle();
    expect((await claim()).metadata.annotations?.[key]).toBe('2026-01-01T00:00:05Z');
    expect(world.recorder.texts).toEqual([]);
  });

  it('is not written when there is none', async () => {
    await join();
    await deleteClaim();
    await driver.settle();
    expect((await claim()).metadata.annotations?.[key]).toBeUndefined();
  });
});
