import { nodeClaims } from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import type { ClusterPod, NodeState } from '@karpenter/core/state';
import { kinds } from '@karpenter/kube/client';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';
import { disruptedPool, type ManagedNodeParts, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType, type PoolParts } from '@karpenter/testkit/snapshots';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { nodeClassRef } from '../controllers/objects.ts';

export const types = [
  instanceType('small', { cpu: '2', memory: '8Gi', price: 0.1 }),
  instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 }),
  instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
];

/** A NodePool of the test cloud whose nodes may all be disrupted at once. */
export function poolOf(
  name = 'default',
  parts: Parameters<typeof disruptedPool>[1] & PoolParts = {},
): NodePool {
  const { apiVersion, kind, spec, metadata } = disruptedPool(name, parts);
  const { template, ...rest } = spec;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(metadata.annotations !== undefined && { annotations: metadata.annotations }) },
    spec: { ...rest, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  };
}

/**
 * Creates an initialized node with its NodeClaim and pods, and waits until the cluster state has all of it.
 */
export async function createNode(
  world: ControllerWorld,
  name: string,
  parts: ManagedNodeParts = {},
): Promise<NodeState> {
  const { client, cluster } = world;
  const { node, nodeClaim, pods } = managedNode(name, parts);
  await client.create(kinds.node, {
    metadata: { name, labels: { ...node.metadata.labels }, annotations: { ...node.metadata.annotations } },
    spec: { providerID: `cloud://${name}` },
  });
  await patchStatus(world, kinds.node, name, node.status ?? {});
  const { name: claimName, labels, annotations } = nodeClaim.metadata;
  await client.create(nodeClaims, {
    ...nodeClaim,
    metadata: {
      name: claimName,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      finalizers: ['karpenter.sh/termination'],
    },
    spec: { ...nodeClaim.spec, nodeClassRef },
  });
  const conditions = nodeClaim.status?.conditions?.map((condition) => ({
    reason: condition.type,
    message: '',
    ...condition,
  }));
  await patchStatus(world, nodeClaims, claimName, { ...nodeClaim.status, conditions });
  for (const pod of pods) await createBoundPod(world, pod);
  return world.until(() => {
    const state = cluster.snapshot().nodeStates.find(({ view }) => view.name === name);
    const isKnown =
      state?.nodeClaim?.status?.providerID !== undefined && state.node?.status?.conditions !== undefined;
    return isKnown && state.pods.length === pods.length ? state : undefined;
  });
}

/** Fills the node `busy`, on which pods of another would fit. */
export async function createLatePod({ client }: ControllerWorld): Promise<void> {
  await client.create(kinds.pod, {
    metadata: { name: 'late', namespace: 'default' },
    spec: {
      nodeName: 'busy',
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '2' } } }],
    },
  });
}

/** Without an owner reference: the API server collects pods whose owner does not exist. */
async function createBoundPod(world: ControllerWorld, { metadata, spec }: ClusterPod): Promise<void> {
  const { name, namespace, labels, annotations } = metadata;
  const pod: Pod = {
    metadata: {
      name,
      namespace,
      labels: { ...labels },
      annotations: { ...annotations },
    },
    spec: {
      nodeName: spec.nodeName ?? '',
      containers: [{ name: 'main', image: 'app', resources: { requests: requestsOf(spec) } }],
      ...(spec.nodeSelector !== undefined && { nodeSelector: { ...spec.nodeSelector } }),
    },
  };
  await world.client.create(kinds.pod, pod);
}

function requestsOf({ containers }: ClusterPod['spec']): Record<string, string> {
  const requests = containers[0]?.resources?.requests ?? {};
  return Object.fromEntries(Object.entries(requests).map(([name, amount]) => [name, String(amount)]));
}

type PatchedKind = Parameters<ControllerWorld['client']['patch']>[0];

export async function patchStatus(
  { client }: ControllerWorld,
  kind: PatchedKind,
  name: string,
  status: object,
): Promise<void> {
  await client.patch(kind, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
}

/** Names of the NodeClaims that are not being deleted. */
export async function livingClaims({ client }: ControllerWorld): Promise<readonly string[]> {
  const { items } = await client.list(nodeClaims);
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}

export async function taintsOf({ client }: ControllerWorld, name: string): Promise<readonly string[]> {
  const { spec } = await client.get(kinds.node, { name });
  return (spec?.taints ?? []).map(({ key }) => key);
}

/** Turns a created NodeClaim into an initialized node, as nodeclaim.lifecycle would. */
export async function bringUp(world: ControllerWorld, claimName: string, type: string): Promise<void> {
  const name = `node-of-${claimName}`;
  const labels = {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': 'a',
    'karpenter.sh/capacity-type': 'on-demand',
  };
  const capacity = { cpu: '4', memory: '16Gi', pods: '110' };
  await world.client.create(kinds.node, {
    metadata: { name, labels },
    spec: { providerID: `cloud://${name}` },
  });
  const ready = { type: 'Ready', status: 'True' };
  await patchStatus(world, kinds.node, name, { capacity, allocatable: capacity, conditions: [ready] });
  const conditions = ['Launched', 'Registered', 'Initialized'].map((type_) => ({
    type: type_,
    status: 'True',
    reason: type_,
    message: '',
    lastTransitionTime: new Date(world.clock.now()).toISOString().replace(/\.\d+/, ''),
  }));
  await patchStatus(world, nodeClaims, claimName, {
    providerID: `cloud://${name}`,
    nodeName: name,
    capacity,
    allocatable: capacity,
    conditions,
  });
}
