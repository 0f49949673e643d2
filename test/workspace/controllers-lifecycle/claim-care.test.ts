import {
  nodeClaimConsistency,
  nodeClaimExpiration,
  nodeClaimGarbageCollection,
  nodeClaimHydration,
  nodeClaimLifecycle,
  nodeClaimPodEvents,
  nodeClaims,
  nodeHydration,
  RegistrationHealth,
  stateNodeClaimCollection,
} from '@karpenter/controllers';
import { hours, minutes, nodeClaimMetrics, seconds } from '@karpenter/core/api';
import { isNotFound, kinds } from '@karpenter/kube/client';
import type { Runnable } from '@karpenter/kube/runtime';
import { claim as claimObject } from '@karpenter/testkit/cluster-objects';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClassRef } from '../controllers/objects.ts';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { Driver } from './driver.ts';
import {
  createClaim,
  createDaemonSet,
  createPodOn,
  finishPod,
  instanceType,
  joinNode,
  nodeClassLabel,
  setNodeStatus,
} from './objects.ts';

let world: ControllerWorld;
let driver: Driver;

beforeEach(async () => {
  world = await startControllerWorld({ types: [instanceType] });
});

afterEach(() => world.stop());

/** With nodeclaim.lifecycle, so that claims become nodes. */
function care(...runnables: readonly Runnable[]): void {
  const registrationHealth = new RegistrationHealth(world);
  driver = new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth }), ...runnables);
}

type Claim = Parameters<typeof createClaim>[2];
type Node = Parameters<typeof joinNode>[3];

async function createNode(claim: Claim = {}, node: Node = {}): Promise<void> {
  await createClaim(world, 'a', claim);
  await driver.settle();
  await joinNode(world, 'node-a', 'memory:///instance-1', node);
  await driver.settle();
}

const claim = () => readClaim(world, 'a');
const isDeleting = async () => {
  try {
    return (await claim()).metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
};
const disrupted = (reason: string) => world.meters.values(nodeClaimMetrics.disrupted, { reason });
const movedPods = (reason: string) =>
  world.meters.values(nodeClaimMetrics.podsDisruptionInitiated, { reason });

describe('nodeclaim.expiration', () => {
  beforeEach(() => care(nodeClaimExpiration(world)));

  it('deletes a claim once when it expires, whatever runs on it, and counts its pods', async () => {
    await createNode({ expireAfter: '1h', terminationGracePeriod: '10m' });
    await createPodOn(world, 'node-a', 'pod', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await createPodOn(world, 'node-a', 'daemon', { owner: await createDaemonSet(world) });
    await driver.pass(hours(1) - 1);
    expect(await isDeleting()).toBe(false);
    await driver.pass(1);
    expect(await isDeleting()).toBe(true);
    await driver.pass(minutes(5));
    expect(world.log.of('deleting expired nodeclaim')).toHaveLength(1);
    expect(disrupted('expired')).toEqual([1]);
    expect(movedPods('expired')).toEqual([1]);
    expect(world.meters.series(nodeClaimMetrics.disrupted)).toMatchObject([
      { labels: { termination_mode: 'eventual', consolidation_policy: '', capacity_type: 'spot' } },
    ]);
  });

  it('keeps a claim whose expireAfter is Never', async () => {
    await createNode({ expireAfter: 'Never' });
    await world.clock.leap(hours(24 * 365));
    await driver.reconcile('a');
    expect(await isDeleting()).toBe(false);
  });

  it('deletes once even if the cache is stale', async () => {
    await createNode({ expireAfter: '1h' });
    await world.clock.advance(hours(1));
    const cache = world.caches.of(nodeClaims);
    const stale = cache.get({ name: 'a' });
    const { get } = cache;
    cache.get = () => stale;
    for (let times = 0; times < 3; times += 1) await driver.reconcile('a');
    cache.get = get;
    expect(disrupted('expired')).toEqual([1]);
  });
});

describe('nodeclaim.garbagecollection', () => {
  beforeEach(() => care(nodeClaimGarbageCollection(world)));

  const notReady = () =>
    setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'Unknown' }] });

  it('deletes claims whose instance is gone and whose node is not ready, every 2 min', async () => {
    await createNode();
    await createPodOn(world, 'node-a', 'pod');
    world.cloud.instances.clear();
    await notReady();
    await driver.pass(minutes(2) - 1);
    expect(await isDeleting()).toBe(false);
    await driver.pass(1);
    expect(await isDeleting()).toBe(true);
    expect(disrupted('garbage_collected')).toEqual([1]);
    expect(movedPods('garbage_collected')).toEqual([1]);
    expect(world.log.of('garbage collecting nodeclaim with no cloudprovider representation')).toHaveLength(1);
  });

  it('treats an instance that is being terminated as gone', async () => {
    await createNode();
    const [[id, instance] = []] = [...world.cloud.instances];
    if (id !== undefined && instance !== undefined) {
      world.cloud.instances.set(id, { ...instance, isDeleting: true });
    }
    await notReady();
    await driver.pass(minutes(2));
    expect(await isDeleting()).toBe(true);
  });

  it('deletes a claim with several nodes', async () => {
    await createNode();
    world.cloud.instances.clear();
    await joinNode(world, 'twin', 'memory:///instance-1');
    await driver.pass(minutes(2));
    expect(await isDeleting()).toBe(true);
  });

  it('deletes a claim without a node', async () => {
    await createNode();
    world.cloud.instances.clear();
    const body = { metadata: { finalizers: null } };
    await world.client.patch(kinds.node, { name: 'node-a' }, { type: 'merge', body });
    await world.client.delete(kinds.node, { name: 'node-a' });
    await driver.pass(minutes(2));
    expect(await isDeleting()).toBe(true);
  });

  it('deletes twenty claims at a time, and all others when one fails', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `lost-${index}`);
    for (const name of names) await createRegisteredClaim(name);
    const remove = world.client.delete.bind(world.client);
    let underWay = 0;
    let most = 0;
    world.client.delete = async (kind, key, options) => {
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        if (key.name === 'lost-0') throw new Error('not now');
        await remove(kind, key, options);
      } finally {
        underWay -= 1;
      }
    };
    await driver.pass(minutes(2));
    expect(most).toBe(20);
    const { items } = await world.client.list(nodeClaims);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['lost-0']);
    expect(driver.errors.map(({ message }) => message)).toContain('not now');
  });

  /** Of an instance that the cloud provider does not have. */
  async function createRegisteredClaim(name: string): Promise<void> {
    const { status, ...object } = claimObject(name, {
      providerID: `memory:///${name}`,
      conditions: ['Launched', 'Registered'],
    });
    await world.client.create(nodeClaims, { ...object, spec: { ...object.spec, nodeClassRef } });
    const conditions = status?.conditions?.map((each) => ({ ...each, reason: each.type, message: '' }));
    const body = { status: { ...status, conditions } };
    await world.client.patch(nodeClaims, { name }, { type: 'merge', body }, { subresource: 'status' });
  }

  it('keeps a claim whose node is ready, whatever the cloud provider lists', async () => {
    await createNode();
    world.cloud.instances.clear();
    await driver.pass(minutes(10));
    expect(await isDeleting()).toBe(false);
  });

  it('leaves claims that never registered to the liveness timeout', async () => {
    await createClaim(world, 'a');
    await driver.settle();
    world.cloud.instances.clear();
    await driver.pass(minutes(14));
    expect(await isDeleting()).toBe(false);
  });
});

describe('nodeclaim.consistency', () => {
  beforeEach(() => care(nodeClaimConsistency(world)));

  const consistent = async () => conditionsOf(await claim())['ConsistentStateFound'];

  it('does not check a node that is not initialized', async () => {
    await createNode({}, { isReady: false, allocatable: { cpu: '1' } });
    expect(await consistent()).toBe('True ConsistentStateFound: ');
  });

  it('does not check a claim without a node or with several', async () => {
    await createClaim(world, 'a');
    await driver.settle();
    expect(await consistent()).toBeUndefined();
    for (const name of ['one', 'two']) await joinNode(world, name, 'memory:///instance-1');
    await driver.pass(minutes(10));
    expect(await consistent()).toBeUndefined();
  });

  it('reports within 10 min a node with less than 90 % of a requested resource', async () => {
    await createNode({ resources: { requests: { cpu: '1', memory: '1Gi' } } });
    const status = { capacity: { cpu: '1800m', memory: '7Gi', pods: '1' } };
    await setNodeStatus(world, 'node-a', status);
    await driver.pass(minutes(10));
    expect(await consistent()).toBe('False ConsistencyCheckFailed: Consistency Check Failed');
    const message = 'expected 8Gi of resource memory, but found 7Gi (87.5% of expected)';
    expect(world.recorder.texts).toEqual([`NodeClaim/a FailedConsistencyCheck: ${message}`]);
    expect(world.log.of('failed consistency check')).toEqual([{ error: message }]);
    await setNodeStatus(world, 'node-a', { capacity: { memory: '8Gi' } });
    await driver.pass(minutes(10));
    expect(await consistent()).toBe('True ConsistentStateFound: ');
  });
});

describe('nodeclaim.podevents', () => {
  beforeEach(() => care(nodeClaimPodEvents(world)));

  const last = async () => (await claim()).status?.lastPodEventTime;

  it('records when a pod is bound, ends or starts to terminate, at most every 10 s', async () => {
    await createNode();
    expect(await last()).toBeUndefined();
    await createPodOn(world, 'node-a', 'one');
    await driver.settle();
    expect(await last()).toBe('2026-01-01T00:00:00Z');
    await world.clock.advance(seconds(9));
    await createPodOn(world, 'node-a', 'two');
    await driver.settle();
    expect(await last()).toBe('2026-01-01T00:00:00Z');
    await world.clock.advance(seconds(1));
    await world.client.delete(kinds.pod, { namespace: 'default', name: 'one' });
    await driver.settle();
    expect(await last()).toBe('2026-01-01T00:00:10Z');
    await world.clock.advance(seconds(20));
    const body = { status: { phase: 'Succeeded' } };
    const key = { namespace: 'default', name: 'two' };
    await world.client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
    await driver.settle();
    expect(await last()).toBe('2026-01-01T00:00:30Z');
  });

  it('ignores pods of DaemonSets', async () => {
    await createNode();
    const owner = await createDaemonSet(world);
    for (const name of ['ending', 'ended']) await createPodOn(world, 'node-a', name, { owner });
    await driver.settle();
    await world.client.delete(kinds.pod, { namespace: 'default', name: 'ending' });
    const body = { status: { phase: 'Failed' } };
    const key = { namespace: 'default', name: 'ended' };
    await world.client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
    await driver.settle();
    expect(await last()).toBeUndefined();
  });

  it('ignores other changes of pods, and their removal', async () => {
    await createNode();
    await createPodOn(world, 'node-a', 'one');
    await driver.settle();
    await world.clock.advance(minutes(1));
    const key = { namespace: 'default', name: 'one' };
    await world.client.patch(kinds.pod, key, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    await driver.settle();
    await finishPod(world, 'one');
    await driver.settle();
    expect(await last()).toBe('2026-01-01T00:00:00Z');
  });

  it('records all pods when the process starts', async () => {
    await createNode();
    await createPodOn(world, 'node-a', 'one');
    await driver.settle();
    await world.clock.advance(hours(1));
    await new Driver(world, nodeClaimPodEvents(world)).settle();
    expect(await last()).toBe('2026-01-01T01:00:00Z');
  });
});

describe('hydration', () => {
  it('adds the NodeClass label to claims and nodes', async () => {
    care(nodeClaimHydration(world), nodeHydration(world));
    await createNode({ labels: { [nodeClassLabel]: '' } });
    const body = { metadata: { labels: { [nodeClassLabel]: null } } };
    await world.client.patch(kinds.node, { name: 'node-a' }, { type: 'merge', body });
    await world.client.patch(nodeClaims, { name: 'a' }, { type: 'merge', body });
    await driver.settle();
    expect((await claim()).metadata.labels?.[nodeClassLabel]).toBe('default');
    expect((await readNode(world, 'node-a')).metadata?.labels?.[nodeClassLabel]).toBe('default');
  });

  it('leaves objects of other products alone', async () => {
    care(nodeClaimHydration(world), nodeHydration(world));
    const other = { group: 'other.example', kind: 'Other', name: 'default' };
    await createClaim(world, 'a', { nodeClassRef: other });
    const body = { status: { providerID: 'other:///1' } };
    await world.client.patch(nodeClaims, { name: 'a' }, { type: 'merge', body }, { subresource: 'status' });
    await joinNode(world, 'node-a', 'other:///1');
    await driver.settle();
    expect((await claim()).metadata.labels).not.toHaveProperty(['other.example/other']);
    expect((await readNode(world, 'node-a')).metadata?.labels ?? {}).not.toHaveProperty([
      'other.example/other',
    ]);
  });
});

describe('state.nodeclaimgc', () => {
  beforeEach(() => {
    driver = new Driver(world, stateNodeClaimCollection(world));
  });

  const launching = () => world.cluster.snapshot().launching.map(({ nodeClaim }) => nodeClaim.metadata.name);

  it('forgets a launch after 15 s when its claim was never seen', async () => {
    world.cluster.learn({ type: 'launchRecorded', nodeClaim: claimObject('lost'), pods: ['pod'] });
    await driver.pass(seconds(15) - 1);
    expect(launching()).toEqual(['lost']);
    await driver.pass(1);
    await driver.settle();
    expect(launching()).toEqual([]);
  });

  it('keeps a launch whose claim exists', async () => {
    const nodeClaim = await createClaim(world, 'a');
    world.cluster.learn({ type: 'launchRecorded', nodeClaim, pods: ['pod'] });
    await driver.pass(minutes(1));
    expect(launching()).toEqual(['a']);
  });
});
