import { nodeClaimLifecycle, nodeClaims, RegistrationHealth } from '@karpenter/controllers';
import { minutes, type NodeClaim, nodeClaimMetrics, seconds } from '@karpenter/core/api';
import { insufficientCapacity, launchFailed, nodeClassNotReady } from '@karpenter/core/ports';
import { isNotFound } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim } from './claims.ts';
import { Driver } from './driver.ts';
import { createClaim, instanceType } from './objects.ts';

let world: ControllerWorld;
let driver: Driver;

beforeEach(async () => {
  world = await startControllerWorld({ types: [instanceType] });
  driver = lifecycle();
});

afterEach(() => world.stop());

/** As after a restart of the process: without memory. */
function lifecycle(): Driver {
  const registrationHealth = new RegistrationHealth(world);
  return new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth }));
}

const claim = () => readClaim(world, 'a');
const launched = (read: NodeClaim) => conditionsOf(read)['Launched'];

/** Metadata of the claims that the cloud provider launches, which wants an annotation on each of them. */
function recordedLaunches(): NodeClaim['metadata'][] {
  const launches: NodeClaim['metadata'][] = [];
  const { create } = world.cloud;
  world.cloud.create = async (asked) => {
    launches.push(asked.metadata);
    return create.call(world.cloud, asked);
  };
  const launchAnnotations = ({ metadata }: NodeClaim) =>
    metadata.annotations?.['test/launch'] === undefined ? { 'test/launch': 'own' } : {};
  Object.assign(world.cloud, { launchAnnotations });
  return launches;
}

describe('a launch', () => {
  it('adds the finalizer to the claim before it calls the cloud provider', async () => {
    const { create } = world.cloud;
    const finalizers: unknown[] = [];
    world.cloud.create = async (asked) => {
      finalizers.push(asked.metadata.finalizers);
      return create.call(world.cloud, asked);
    };
    await createClaim(world, 'a');
    await driver.settle();
    expect(finalizers).toEqual([['karpenter.sh/termination']]);
    expect((await claim()).metadata.finalizers).toEqual(['karpenter.sh/termination']);
  });

  it('stores what another process needs to repeat it, in the write that adds the finalizer', async () => {
    const launches = recordedLaunches();
    const { metadata } = await createClaim(world, 'a');
    await driver.settle();
    expect(launches).toMatchObject([
      { finalizers: ['karpenter.sh/termination'], annotations: { 'test/launch': 'own' } },
    ]);
    expect(Number(launches[0]?.resourceVersion) - Number(metadata.resourceVersion)).toBe(1);
    expect((await claim()).metadata.annotations).toMatchObject({ 'test/launch': 'own' });
  });

  it('is the one that another process has recorded meanwhile', async () => {
    const launches = recordedLaunches();
    const other = { metadata: { annotations: { 'test/launch': 'other' } } };
    let writes = 0;
    const patch: typeof world.client.patch = async (kind, key, body, options) => {
      writes += 1;
      if (writes === 1) await world.client.patch(nodeClaims, { name: 'a' }, { type: 'merge', body: other });
      return world.client.patch(kind, key, body, options);
    };
    const client = new Proxy(world.client, {
      get: (target, name) => (name === 'patch' ? patch : Reflect.get(target, name, target)),
    });
    const registrationHealth = new RegistrationHealth(world);
    driver = new Driver(world, nodeClaimLifecycle({ ...world, client, registrationHealth }));
    await createClaim(world, 'a');
    await driver.settle();
    expect(launches.map(({ annotations }) => annotations?.['test/launch'])).toEqual(['other']);
  });

  it('writes the instance details to the claim, with a log line', async () => {
    await createClaim(world, 'a');
    await driver.settle();
    const { metadata, status } = await claim();
    expect(metadata.labels).toMatchObject({
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'zone-a',
      'karpenter.sh/capacity-type': 'spot',
    });
    expect(status).toMatchObject({
      providerID: 'memory:///instance-1',
      imageID: 'image-1',
      capacity: { cpu: '2', memory: '8Gi', pods: '29' },
      allocatable: { cpu: '1900m', memory: '8Gi', pods: '29' },
    });
    expect(launched(await claim())).toEqual('True Launched: ');
    expect(world.log.of('launched nodeclaim')).toEqual([
      {
        'provider-id': 'memory:///instance-1',
        'instance-type': 'm5.large',
        zone: 'zone-a',
        'capacity-type': 'spot',
        allocatable: { cpu: '1900m', memory: '8Gi', pods: '29' },
      },
    ]);
  });

  it('writes labels and annotations before the status, so that a launched claim always has them', async () => {
    await createClaim(world, 'a');
    const patch = world.client.patch.bind(world.client);
    const writes: string[] = [];
    world.client.patch = async (kind, key, change, options) => {
      const written = await patch(kind, key, change, options);
      const isLabelled = (await claim()).metadata.labels?.['topology.kubernetes.io/zone'] !== undefined;
      writes.push(`${options?.subresource ?? 'metadata'} ${isLabelled ? 'with' : 'without'} labels`);
      return written;
    };
    await driver.settle();
    expect(writes).toEqual(['metadata without labels', 'metadata with labels', 'status with labels']);
  });

  it('initializes unset conditions as Unknown since the creation of the claim', async () => {
    const { metadata } = await createClaim(world, 'a');
    await world.clock.advance(seconds(30));
    await driver.settle();
    const conditions = (await claim()).status?.conditions ?? [];
    expect(conditionsOf(await claim())).toEqual({
      Launched: 'True Launched: ',
      Registered: 'Unknown NodeNotFound: Node not registered with cluster',
      Initialized: 'Unknown AwaitingReconciliation: object is awaiting reconciliation',
      Ready: 'Unknown ReconcilingDependents: Initialized=Unknown, Registered=Unknown',
    });
    const since = (type: string) => conditions.find((each) => each.type === type)?.lastTransitionTime;
    expect(since('Registered')).toBe(metadata.creationTimestamp);
    expect(since('Launched')).not.toBe(metadata.creationTimestamp);
  });

  it('prefers labels of the claim and annotations of the cloud provider', async () => {
    const { create } = world.cloud;
    world.cloud.create = async (asked) => ({
      ...(await create.call(world.cloud, asked)),
      labels: { team: 'cloud', only: 'cloud' },
      annotations: { note: 'cloud' },
    });
    await createClaim(world, 'a', { labels: { team: 'users' }, annotations: { note: 'users', kept: 'yes' } });
    await driver.settle();
    const { labels, annotations } = (await claim()).metadata;
    expect(labels).toMatchObject({ team: 'users', only: 'cloud' });
    expect(annotations).toMatchObject({ note: 'cloud', kept: 'yes' });
  });

  it('happens once, however often the status write fails', async () => {
    await createClaim(world, 'a');
    const patch = world.client.patch.bind(world.client);
    let refusals = 3;
    world.client.patch = async (kind, key, change, options) => {
      if (options?.subresource !== 'status' || refusals === 0) return patch(kind, key, change, options);
      refusals -= 1;
      throw new Error('the server is away');
    };
    await driver.pass(seconds(10));
    expect(refusals).toBe(0);
    expect(world.cloud.callsOf('create')).toEqual(['a']);
    expect(launched(await claim())).toBe('True Launched: ');
  });

  it('happens once even if the cache is stale', async () => {
    await createClaim(world, 'a');
    const cache = world.caches.of(nodeClaims);
    await driver.caughtUp();
    const stale = cache.get({ name: 'a' });
    const { get } = cache;
    cache.get = () => stale;
    for (let times = 0; times < 3; times += 1) await driver.reconcile('a');
    cache.get = get;
    await driver.settle();
    expect(world.cloud.callsOf('create')).toHaveLength(1);
  });

  it('does not happen for claims of another product', async () => {
    const nodeClassRef = { group: 'other.example', kind: 'OtherNodeClass', name: 'default' };
    await createClaim(world, 'a', { nodeClassRef });
    await driver.settle();
    expect(world.cloud.calls).toEqual([]);
    expect((await claim()).metadata.finalizers).toBeUndefined();
  });
});

describe('a launch without capacity', () => {
  it('deletes the claim, with an event, a log line and a metric', async () => {
    world.cloud.fail('create', insufficientCapacity('none left'));
    await createClaim(world, 'a', { labels: { 'karpenter.sh/capacity-type': 'spot' } });
    await driver.settle();
    await expect(claim()).rejects.toSatisfy(isNotFound);
    expect(world.recorder.texts).toEqual([
      'NodeClaim/a InsufficientCapacityError: NodeClaim a event: none left',
    ]);
    expect(world.log.lines).toContainEqual({
      level: 'error',
      message: 'failed launching nodeclaim',
      fields: { error: 'none left' },
    });
    expect(world.meters.series(nodeClaimMetrics.disrupted)).toMatchObject([
      {
        labels: { reason: 'insufficient_capacity', nodepool: 'default', capacity_type: 'spot' },
        values: [1],
      },
    ]);
    expect(world.cloud.callsOf('create')).toHaveLength(1);
    expect(driver.errors).toEqual([]);
  });

  it('quotes at most 300 characters of the error', async () => {
    world.cloud.fail('create', insufficientCapacity('x'.repeat(300)));
    await createClaim(world, 'a');
    await driver.settle();
    expect(world.recorder.texts).toEqual([
      `NodeClaim/a InsufficientCapacityError: NodeClaim a event: ${'x'.repeat(300)}...`,
    ]);
  });
});

it('deletes the claim without an event when the NodeClass is not ready', async () => {
  world.cloud.fail('create', nodeClassNotReady('no such class'));
  await createClaim(world, 'a');
  await driver.settle();
  await expect(claim()).rejects.toSatisfy(isNotFound);
  expect(world.recorder.texts).toEqual([]);
  expect(world.log.of('failed launching nodeclaim')).toEqual([{ error: 'no such class' }]);
  const labels = { reason: 'nodeclass_not_ready' };
  expect(world.meters.values(nodeClaimMetrics.disrupted, labels)).toEqual([1]);
});

describe('a launch that fails for another reason', () => {
  it('leaves Launched Unknown with the reason and message of the cloud provider', async () => {
    const failure = { reason: 'SecurityGroupsNotFound', conditionMessage: 'no groups' };
    world.cloud.fail('create', launchFailed('long story', failure), 1);
    await createClaim(world, 'a');
    await driver.settle();
    expect(launched(await claim())).toBe('Unknown SecurityGroupsNotFound: no groups');
    expect(driver.errors.map(({ message }) => message)).toEqual(['launching nodeclaim, long story']);
  });

  it('leaves Launched Unknown as LaunchFailed, with 300 characters of any other failure', async () => {
    world.cloud.fail('create', new Error('y'.repeat(301)), 1);
    await createClaim(world, 'a');
    await driver.settle();
    expect(launched(await claim())).toBe(`Unknown LaunchFailed: ${'y'.repeat(300)}...`);
  });

  it('is retried after 1 s, then with backoff, until it succeeds', async () => {
    const times: number[] = [];
    const { create } = world.cloud;
    const start = world.clock.now();
    world.cloud.create = async (asked) => {
      times.push((world.clock.now() - start) / 1000);
      if (times.length < 9) throw new Error(`attempt ${times.length}`);
      return create.call(world.cloud, asked);
    };
    await createClaim(world, 'a');
    await driver.pass(minutes(4));
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(launched(await claim())).toBe('True Launched: ');
  });
});

describe('a launch that never succeeds', () => {
  it('times out 5 min after the creation of the claim, whatever reasons it had in between', async () => {
    world.cloud.fail('create', new Error('nothing works'));
    await createClaim(world, 'a');
    await driver.pass(minutes(5) - 1);
    expect(launched(await claim())).toBe('Unknown LaunchFailed: nothing works');
    await driver.pass(1);
    await driver.settle();
    await expect(claim()).rejects.toSatisfy(isNotFound);
    expect(world.log.lines).toContainEqual({
      level: 'debug',
      message: 'terminating due to timeout',
      fields: { timeout: '5m0s', reason: 'launch_timeout' },
    });
    const labels = { reason: 'launch_timeout' };
    expect(world.meters.values(nodeClaimMetrics.disrupted, labels)).toEqual([1]);
  });
});

describe('a process that restarts in the middle of a launch', () => {
  it('continues from the status of the claim, without another instance', async () => {
    await createClaim(world, 'a');
    await driver.settle();
    await lifecycle().pass(seconds(30));
    expect(world.cloud.callsOf('create')).toHaveLength(1);
  });

  it('terminates the instance of a claim that was deleted before its status was written', async () => {
    await createClaim(world, 'a');
    const { create } = world.cloud;
    world.cloud.create = async (asked) => {
      const instance = await create.call(world.cloud, asked);
      await world.client.delete(nodeClaims, { name: 'a' });
      return instance;
    };
    await driver.pass(seconds(10));
    expect(world.cloud.instances.size).toBe(0);
    await expect(claim()).rejects.toSatisfy(isNotFound);
  });
});
