import {
  nodeClaimLifecycle,
  nodeClaims,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
  RegistrationHealth,
} from '@karpenter/controllers';
import type { NodeClaim } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { gpuDriver, gpus, gpuTemplate } from '@karpenter/testkit/devices';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allocate, claiming, createClaim, createDeviceClass, publish } from './device-objects.ts';
import { createPendingPod, createPool, noTime } from './objects.ts';

let world: ControllerWorld;

const capacity = { cpu: '16', memory: '64Gi', pods: '110' };
const types = [
  instanceType('plain', { price: 0.1, cpu: '16', memory: '64Gi' }),
  {
    ...instanceType('gpu', { price: 1, cpu: '16', memory: '64Gi' }),
    deviceTemplates: [gpuTemplate(gpus(2))],
  },
];

async function createClaimant(name: string): Promise<string> {
  await createClaim(world, name);
  return createPendingPod(world, name, claiming(name));
}

const claims = async () => (await world.client.list(nodeClaims)).items;

async function claimsMade(count: number): Promise<readonly NodeClaim[]> {
  return world.until(async () => {
    const found = await claims();
    return found.length >= count ? found : undefined;
  });
}

const conditionOf = ({ status }: NodeClaim, type: string) =>
  status?.conditions?.find((each) => each.type === type);

/** Creates the Node of a launched claim, ready as its kubelet reports it. */
async function join({ metadata, status }: NodeClaim): Promise<void> {
  const { name } = metadata;
  await world.client.create(kinds.node, {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {
      providerID: status?.providerID ?? '',
      taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
    },
  });
  const conditions = [{ type: 'Ready', status: 'True' }];
  const body = { status: { capacity, allocatable: capacity, conditions } };
  await world.client.patch(kinds.node, { name }, { type: 'merge', body }, { subresource: 'status' });
}

/** Allocates a device and binds the pod, as the kube-scheduler does. */
async function schedule(name: string, uid: string, node: string, device: string): Promise<void> {
  await allocate(world, { name, uid }, node, device);
  await world.client.request('POST', `/api/v1/namespaces/default/pods/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: node },
  });
  await world.until(
    () =>
      world.cluster
        .snapshot()
        .boundPods.some(({ metadata, nodeName }) => metadata.uid === uid && nodeName === node),
    noTime,
  );
}

const launched = () =>
  world.until(async () => {
    const found = await claims();
    return found.every(({ status }) => (status?.providerID ?? '') !== '') ? found : undefined;
  });

const initialized = (name: string) =>
  world.until(async () => {
    const found = await world.client.get(nodeClaims, { name });
    return conditionOf(found, 'Initialized')?.status === 'True';
  });

async function begin(ignoreDraRequests: boolean): Promise<void> {
  world = await startControllerWorld({ types, settings: { ignoreDraRequests } });
  await createPool(world);
  await createDeviceClass(world);
  const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
  const batcher = new ProvisioningBatcher(world.clock, { idle, max });
  const registrationHealth = new RegistrationHealth(world);
  world.run(
    podTrigger(world, batcher),
    nodeTrigger(world, batcher),
    provisioner(world, batcher),
    nodeClaimLifecycle({ ...world, registrationHealth }),
  );
}

afterEach(() => world.stop());

describe('pods with resource claims', () => {
  beforeEach(() => begin(false));

  it('get nodes with the devices, and later pods get the remaining devices', async () => {
    const uids = [await createClaimant('a'), await createClaimant('b')];
    const [made] = await claimsMade(1);
    expect(made?.metadata.annotations?.['karpenter.sh/requested-dra-drivers']).toBe(gpuDriver);
    expect(made?.spec.requirements).toContainEqual({
      key: 'node.kubernetes.io/instance-type',
      operator: 'In',
      values: ['gpu'],
    });
    const [claim] = await launched();
    if (claim === undefined) throw new Error('nothing was launched');
    const { name } = claim.metadata;
    await join(claim);
    await world.until(async () => {
      const found = await world.client.get(nodeClaims, { name });
      return conditionOf(found, 'Initialized')?.reason === 'DRADriverPoolsNotPublished';
    });
    await publish(world, name);
    await initialized(name);
    await schedule('a', uids[0] ?? '', name, 'gpu-1');
    await schedule('b', uids[1] ?? '', name, 'gpu-0');
    await createClaimant('c');
    await claimsMade(2);
    expect(await claims()).toHaveLength(2);
    expect(world.errors.map(({ error }) => String(error))).toEqual([]);
  });

  it('use a free device of an existing node instead of a new node', async () => {
    const uid = await createClaimant('a');
    await claimsMade(1);
    const [claim] = await launched();
    if (claim === undefined) throw new Error('nothing was launched');
    const { name } = claim.metadata;
    await join(claim);
    await world.until(() => world.caches.of(kinds.node).get({ name }) !== undefined);
    await publish(world, name);
    await initialized(name);
    await schedule('a', uid, name, 'gpu-0');
    await createClaimant('b');
    await world.until(() => world.recorder.texts.some((text) => text.includes(`/b `) && text.includes(name)));
    expect(await claims()).toHaveLength(1);
  });

  it('from a template get nodes once the claims exist', async () => {
    const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }];
    await createPendingPod(world, 'p', { resourceClaims });
    await world.until(() =>
      world.recorder.texts.find((text) => text.includes('has not been made from its template yet')),
    );
    await createClaim(world, 'p-gpu');
    const body = { status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'p-gpu' }] } };
    const key = { namespace: 'default', name: 'p' };
    await world.client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
    const [made] = await claimsMade(1);
    expect(made?.metadata.annotations?.['karpenter.sh/requested-dra-drivers']).toBe(gpuDriver);
  });

  it('get an event with the reason when no node fits', async () => {
    await createClaim(world, 'none', 'missing');
    await createPendingPod(world, 'none', claiming('none'));
    const event = await world.until(() => world.recorder.texts.find((text) => text.includes('/none ')));
    expect(event).toContain(
      'Failed to schedule pod, allocating dynamic resources, claim default/none, request gpu: device class missing does not exist',
    );
  });
});

it('ignores pods with resource claims while DRA requests are ignored', async () => {
  await begin(true);
  await createClaim(world, 'a');
  await createPendingPod(world, 'a', claiming('a'));
  const event = await world.until(() => world.recorder.texts.find((text) => text.includes('/a ')));
  expect(event).toContain(
    'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter',
  );
  expect(await claims()).toEqual([]);
});
