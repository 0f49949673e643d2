import { nodeClaimLifecycle, RegistrationHealth } from '@karpenter/controllers';
import { hours, minutes } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { Driver } from './driver.ts';
import { createClaim, instanceType, joinNode, setNodeStatus, unregistered } from './objects.ts';

let world: ControllerWorld;
let driver: Driver;

async function start(options: WorldOptions = {}): Promise<void> {
  world = await startControllerWorld({ types: [instanceType], ...options });
  const registrationHealth = new RegistrationHealth(world);
  driver = new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth }));
}

beforeEach(() => start());

afterEach(() => world.stop());

const providerId = 'memory:///instance-1';
const initialized = async () => conditionsOf(await readClaim(world, 'a'))['Initialized'];

type Claim = Parameters<typeof createClaim>[2];
type Node = Parameters<typeof joinNode>[3];

async function join(claim: Claim = {}, node: Node = {}): Promise<void> {
  await createClaim(world, 'a', claim);
  await driver.settle();
  await joinNode(world, 'node-a', providerId, node);
  await driver.settle();
}

const setTaints = (taints: readonly object[]) =>
  world.client.patch(kinds.node, { name: 'node-a' }, { type: 'merge', body: { spec: { taints } } });

describe('a registered node', () => {
  it('is initialized when it is ready and has its resources, and the claim becomes Ready', async () => {
    await join();
    expect(conditionsOf(await readClaim(world, 'a'))).toEqual({
      Launched: 'True Launched: ',
      Registered: 'True Registered: ',
      Initialized: 'True Initialized: ',
      Ready: 'True Ready: ',
    });
    expect((await readNode(world, 'node-a')).metadata?.labels).toMatchObject({
      'karpenter.sh/initialized': 'true',
    });
    expect(world.log.of('initialized nodeclaim')).toEqual([
      { 'provider-id': providerId, allocatable: { cpu: '2', memory: '8Gi', pods: '29' } },
    ]);
  });

  it('waits until its Node is ready', async () => {
    await join({}, { isReady: false });
    expect(await initialized()).toBe('Unknown NodeNotReady: Node status is NotReady');
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'True' }] });
    await driver.settle();
    expect(await initialized()).toBe('True Initialized: ');
  });

  it('waits until its startup taints are removed, whatever their values', async () => {
    await join({ startupTaints: [{ key: 'cni', value: 'v', effect: 'NoSchedule' }] });
    expect(await initialized()).toBe(
      'Unknown StartupTaintsExist: StartupTaint "cni=v:NoSchedule" still exists',
    );
    await setTaints([{ key: 'cni', value: 'other', effect: 'NoSchedule' }]);
    await driver.settle();
    expect(await initialized()).toContain('StartupTaintsExist');
    await setTaints([]);
    await driver.settle();
    expect(await initialized()).toBe('True Initialized: ');
  });

  it('waits until the ephemeral taints of starting nodes are removed', async () => {
    const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    await join({}, { taints: [unregistered, notReady] });
    expect(await initialized()).toBe(
      'Unknown KnownEphemeralTaintsExist: KnownEphemeralTaint "node.kubernetes.io/not-ready:NoSchedule" still exists',
    );
    await setTaints([{ key: 'readiness.k8s.io/storage', effect: 'NoExecute' }]);
    await driver.settle();
    expect(await initialized()).toContain('"readiness.k8s.io/storage:NoExecute"');
    await setTaints([]);
    await driver.settle();
    expect(await initialized()).toBe('True Initialized: ');
  });

  it('waits until every requested resource is registered', async () => {
    world.cloud.types = [{ ...instanceType, capacity: { ...instanceType.capacity, 'nvidia.com/gpu': '1' } }];
    const requests = { cpu: '1', 'nvidia.com/gpu': '1', 'example.com/none': '0' };
    await join({ resources: { requests } });
    expect(await initialized()).toBe(
      'Unknown ResourceNotRegistered: Resource "nvidia.com/gpu" was requested but not registered',
    );
    await setNodeStatus(world, 'node-a', { allocatable: { cpu: '2', 'nvidia.com/gpu': '1' } });
    await driver.settle();
    expect(await initialized()).toBe('True Initialized: ');
  });

  it('that is gone is reported as missing', async () => {
    await join({}, { isReady: false });
    await world.client.patch(
      kinds.node,
      { name: 'node-a' },
      {
        type: 'merge',
        body: { metadata: { finalizers: null } },
      },
    );
    await world.client.delete(kinds.node, { name: 'node-a' });
    await driver.settle();
    expect(await initialized()).toBe('Unknown NodeNotFound: Node not registered with cluster');
  });

  it('is never deleted for not being initialized', async () => {
    await join({}, { isReady: false });
    await driver.pass(hours(2));
    expect(await initialized()).toBe('Unknown NodeNotReady: Node status is NotReady');
  });

  it('stays initialized whatever its Node does later', async () => {
    await join();
    await setNodeStatus(world, 'node-a', { conditions: [{ type: 'Ready', status: 'False' }] });
    await setTaints([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    await driver.pass(minutes(30));
    expect(await initialized()).toBe('True Initialized: ');
  });
});

describe('a node whose pods claim devices', () => {
  const annotations = { 'karpenter.sh/requested-dra-drivers': 'gpu.example.com' };

  const publish = async (name: string, generation: number, resourceSliceCount: number) => {
    const { uid } = (await readNode(world, 'node-a')).metadata ?? {};
    await world.client.request('POST', '/apis/resource.k8s.io/v1/resourceslices', {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: {
        name,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'node-a', uid }],
      },
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'node-a',
        pool: { name: 'pool', generation, resourceSliceCount },
        devices: [],
      },
    });
  };

  it('waits until the driver has published all slices of its newest pool', async () => {
    await world.stop();
    await start({ settings: { ignoreDraRequests: false } });
    await join({ annotations });
    const pending =
      'Unknown DRADriverPoolsNotPublished: DRA driver "gpu.example.com" has not published a complete resource pool';
    expect(await initialized()).toBe(pending);
    await publish('one', 1, 1);
    await publish('two', 2, 2);
    await driver.settle();
    expect(await initialized()).toBe(pending);
    await publish('three', 2, 2);
    await driver.settle();
    expect(await initialized()).toBe('True Initialized: ');
  });

  it('does not wait while DRA requests are ignored', async () => {
    await join({ annotations });
    expect(await initialized()).toBe('True Initialized: ');
  });
});
