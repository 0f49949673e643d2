import { kinds } from '@karpenter/kube/client';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';
import { gpuDriver, gpus } from '@karpenter/testkit/devices';
import { noTime, type PodParts } from './objects.ts';

export function createDevices(world: ControllerWorld, path: string, object: object): Promise<unknown> {
  const body = { apiVersion: 'resource.k8s.io/v1', ...object };
  return world.client.request('POST', `/apis/resource.k8s.io/v1/${path}`, body);
}

/** The DeviceClass `gpu`: selects by driver and model. */
export async function createDeviceClass(world: ControllerWorld): Promise<void> {
  const expression = `device.driver == "${gpuDriver}" && device.attributes["${gpuDriver}"].model == "a100"`;
  await createDevices(world, 'deviceclasses', {
    kind: 'DeviceClass',
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression } }] },
  });
}

/** A ResourceClaim for one device. */
export async function createClaim(
  world: ControllerWorld,
  name: string,
  deviceClassName = 'gpu',
): Promise<void> {
  await createDevices(world, 'namespaces/default/resourceclaims', {
    kind: 'ResourceClaim',
    metadata: { name },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName } }] } },
  });
  const cache = world.caches.of(kinds.resourceClaim);
  await world.until(() => cache.get({ namespace: 'default', name }) !== undefined, noTime);
}

/** The client library has types for an older API version only. */
export function claiming(claim: string): PodParts {
  const resourceClaims = [{ name: 'gpu', resourceClaimName: claim }];
  return { resourceClaims };
}

/** Publishes the devices of a node, as its driver does. */
export async function publish(world: ControllerWorld, nodeName: string, count = 2): Promise<void> {
  const { uid } = (await world.client.get(kinds.node, { name: nodeName })).metadata ?? {};
  const name = `${nodeName}-${gpuDriver}`;
  await createDevices(world, 'resourceslices', {
    kind: 'ResourceSlice',
    metadata: {
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid }],
    },
    spec: {
      driver: gpuDriver,
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
      devices: gpus(count),
    },
  });
  const cache = world.caches.of(kinds.resourceSlice);
  await world.until(() => cache.get({ name }) !== undefined, noTime);
}

/** Allocates a device of a node to the claim with the pod's name, as the kube-scheduler does. */
export async function allocate(
  world: ControllerWorld,
  { name, uid }: { readonly name: string; readonly uid: string },
  node: string,
  device: string,
): Promise<void> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const status = {
    allocation: {
      devices: { results: [{ request: 'gpu', driver: gpuDriver, pool: node, device }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields }] },
    },
    reservedFor: [{ resource: 'pods', name, uid }],
  };
  const key = { namespace: 'default', name };
  const written = await world.client.patch(
    kinds.resourceClaim,
    key,
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );
  const cache = world.caches.of(kinds.resourceClaim);
  const version = written.metadata?.resourceVersion;
  await world.until(() => cache.get(key)?.metadata?.resourceVersion === version, noTime);
}
