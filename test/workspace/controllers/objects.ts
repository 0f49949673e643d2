import { nodeClaims, nodePools } from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import type { PlannedNode } from '@karpenter/core/scheduling';
import { kindOf, kinds } from '@karpenter/kube/client';
import { claim } from '@karpenter/testkit/cluster-objects';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';
import { type TestNodeClass, testNodeClassKind } from '@karpenter/testkit/fake-cloud';
import { type PoolParts, pool } from '@karpenter/testkit/snapshots';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';

export const nodeClasses = kindOf(testNodeClassKind);
export const nodeClassRef = { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' };

/** A NodePool of the test cloud; ready by default. */
export function testPool(name = 'default', parts: PoolParts & { readonly isReady?: boolean } = {}): NodePool {
  const { template, ...spec } = pool(name, parts).spec;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  };
}

const condition = (type: string, status: 'True' | 'False' | 'Unknown' = 'True') => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
});

/** Creates a ready NodePool and waits until the cluster state has it. */
export async function createPool(world: ControllerWorld, nodePool: NodePool = testPool()): Promise<NodePool> {
  const { client, cluster } = world;
  await client.create(nodePools, nodePool);
  const { name } = nodePool.metadata;
  const conditions = ['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => condition(type));
  const body = { status: { conditions } };
  const stored = await client.patch(nodePools, { name }, { type: 'merge', body }, { subresource: 'status' });
  await world.until(
    () =>
      cluster
        .snapshot()
        .nodePools.some(({ metadata, status }) => metadata.name === name && status?.conditions !== undefined),
    noTime,
  );
  return stored;
}

export async function createNodeClass(
  { client }: ControllerWorld,
  name = 'default',
  ready: 'True' | 'False' | 'Unknown' | undefined = 'True',
): Promise<TestNodeClass> {
  const created = await client.create(nodeClasses, {
    apiVersion: testNodeClassKind.apiVersion,
    kind: 'TestNodeClass',
    metadata: { name },
    spec: {},
  });
  if (ready === undefined) return created;
  const body = { status: { conditions: [condition('Ready', ready)] } };
  return client.patch(nodeClasses, { name }, { type: 'merge', body }, { subresource: 'status' });
}

export interface PodParts extends Partial<Omit<PodSpec, 'containers'>> {
  readonly cpu?: string;
  readonly memory?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly container?: Partial<Container>;
}

/** The step of `world.until` for requests that need no time: the virtual clock stands still. */
export const noTime = 0;

/** Creates a pod that the kube-scheduler marked unschedulable, waits for the state, and returns its uid. */
export async function createPendingPod(
  world: ControllerWorld,
  name: string,
  { cpu = '1', memory = '1Gi', namespace = 'default', labels = {}, container, ...spec }: PodParts = {},
): Promise<string> {
  const { client, cluster } = world;
  const created = await client.create(kinds.pod, {
    metadata: { name, namespace, labels },
    spec: {
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory } }, ...container }],
      ...spec,
    },
  });
  await markUnschedulable(client, name, namespace);
  const uid = created.metadata?.uid ?? '';
  await world.until(() => {
    const { pendingPods, heldPods } = cluster.snapshot();
    return [...pendingPods, ...heldPods.map(({ pod }) => pod)].some(({ metadata }) => metadata.uid === uid);
  }, noTime);
  return uid;
}

async function markUnschedulable(
  client: ControllerWorld['client'],
  name: string,
  namespace: string,
): Promise<void> {
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
  const body = { status: { conditions: [condition] } };
  await client.patch(kinds.pod, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
}

/** A planned node for these pods. */
export function plannedNode(parts: Partial<PlannedNode> = {}): PlannedNode {
  return {
    nodePool: 'default',
    requirements: [],
    instanceTypes: ['m5.large'],
    pods: ['pod-1'],
    requests: { cpu: '1', pods: '1' },
    price: 0.1,
    choice: {
      offering: { instanceType: 'm5.large', price: 0.1 },
      fill: {},
      bindingResources: [],
      alternatives: [],
      narrowings: [],
      passedOver: [],
    },
    ...parts,
  };
}

export interface NodeOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: 'NoSchedule' }[];
  readonly pool?: string;
  readonly cpu?: string;
}

/** Creates a running node with its NodeClaim and waits until the cluster state has both. */
export async function createNode(
  world: ControllerWorld,
  name: string,
  { labels = {}, taints = [], pool = 'default', cpu = '4' }: NodeOptions = {},
): Promise<void> {
  const { client } = world;
  const capacity = { cpu, memory: '16Gi', pods: '110' };
  const providerID = `memory:///${name}`;
  const { status: _, ...unlaunched } = claim(`${name}-claim`, { pool });
  await client.create(nodeClaims, unlaunched);
  const status = { providerID, nodeName: name, capacity, allocatable: capacity };
  const key = { name: `${name}-claim` };
  await client.patch(nodeClaims, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  await client.create(kinds.node, {
    metadata: {
      name,
      labels: {
        'karpenter.sh/nodepool': pool,
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
        'node.kubernetes.io/instance-type': 'c.large',
        'kubernetes.io/hostname': name,
        'topology.kubernetes.io/zone': 'a',
        ...labels,
      },
    },
    spec: { providerID, taints: [...taints] },
  });
  const body = { status: { capacity, allocatable: capacity } };
  await client.patch(kinds.node, { name }, { type: 'merge', body }, { subresource: 'status' });
  await world.until(
    () =>
      world.cluster
        .snapshot()
        .nodeStates.some(({ node, view }) => node?.metadata.name === name && view.allocatable['cpu'] === cpu),
    noTime,
  );
}

/** Creates a running pod on a node. */
export async function createBoundPod(
  { client }: ControllerWorld,
  name: string,
  nodeName: string,
  { cpu = '1', labels = {} }: { readonly cpu?: string; readonly labels?: Record<string, string> } = {},
): Promise<void> {
  await client.create(kinds.pod, {
    metadata: { name, namespace: 'default', labels },
    spec: { nodeName, containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }] },
  });
  const body = { status: { phase: 'Running' } };
  const key = { namespace: 'default', name };
  await client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
}
