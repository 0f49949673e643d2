import type { DeviceTemplate, DeviceView } from '@karpenter/core/ports';
import type {
  DeviceAllocationPort,
  DeviceClassView,
  DevicesView,
  PodView,
  ReadSelector,
  ResourceClaimView,
  ResourceSliceView,
} from '@karpenter/core/scheduling';
import { type PodParts, pod } from '../snapshots/index.ts';

export const gpuDriver = 'gpu.example.com';

/** Devices `gpu-0`, `gpu-1`, … of one model. */
export function gpus(count: number, parts: Partial<DeviceView> = {}): readonly DeviceView[] {
  return Array.from({ length: count }, (_, index) => ({
    attributes: { model: { string: 'a100' } },
    ...parts,
    name: `gpu-${index}`,
  }));
}

/** The devices that nodes of an instance type will publish. */
export function gpuTemplate(devices: readonly DeviceView[], driver = gpuDriver): DeviceTemplate {
  return { driver, pool: 'node', devices };
}

/** The only slice of a pool, named after its node, or after the slice if it belongs to no node. */
export function slice(
  devices: readonly DeviceView[],
  spec: Partial<ResourceSliceView['spec']> = {},
): ResourceSliceView {
  const name = spec.nodeName ?? 'remote';
  const driver = spec.driver ?? gpuDriver;
  const pool = { name, generation: 1, resourceSliceCount: 1 };
  return { metadata: { name: `${driver}-${name}` }, spec: { driver, pool, devices, ...spec } };
}

const gpuClass: DeviceClassView = {
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: `driver == ${gpuDriver}` } }] },
};

type Requests = NonNullable<ResourceClaimView['spec']['devices']>['requests'];

/** A claim. Defaults to one device of class `gpu`. */
export function claim(
  name: string,
  parts: {
    readonly count?: number;
    readonly requests?: Requests;
    readonly constraints?: NonNullable<ResourceClaimView['spec']['devices']>['constraints'];
    readonly status?: ResourceClaimView['status'];
  } = {},
): ResourceClaimView {
  const { count = 1, constraints = [], status } = parts;
  const requests = parts.requests ?? [{ name: 'gpu', exactly: { deviceClassName: 'gpu', count } }];
  return {
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests, constraints } },
    ...(status !== undefined && { status }),
  };
}

/** The status of a claim with devices of a node allocated and reserved for pods. */
export function allocatedOn(
  node: string,
  devices: readonly string[],
  users: readonly string[],
  driver = gpuDriver,
): NonNullable<ResourceClaimView['status']> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return {
    allocation: {
      devices: { results: devices.map((device) => ({ request: 'gpu', driver, pool: node, device })) },
      nodeSelector: { nodeSelectorTerms: [{ matchFields }] },
    },
    reservedFor: users.map((uid) => ({ resource: 'pods', name: uid, uid })),
  };
}

/** A pod that uses claims by name. */
export function claimant(name: string, claims: readonly string[], parts: PodParts = {}): PodView {
  const resourceClaims = claims.map((each) => ({ name: each, resourceClaimName: each }));
  return pod(name, { ...parts, resourceClaims });
}

export function devicesView(parts: Partial<DevicesView>): DevicesView {
  return { slices: [], claims: [], classes: [gpuClass], ...parts };
}

/** Stands in for CEL: `driver == x`, or `name == x` for a string attribute; `fails` does not evaluate. */
export const readPlainSelector: ReadSelector = (expression) => (device) => {
  const [, name, value] = /^(\S+) == (\S+)$/.exec(expression) ?? [];
  if (name === undefined) return { error: `cannot read ${expression}` };
  return value === (name === 'driver' ? device.driver : device.attributes?.[name]?.string);
};

/** Means that wait for ever. */
export const deviceAllocationPort: DeviceAllocationPort = {
  readSelector: readPlainSelector,
  startDeadline: () => () => false,
};
