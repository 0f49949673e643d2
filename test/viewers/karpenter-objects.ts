import { installDefinitions } from '@karpenter/cli/embedded';
import { type KubeClient, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';
import { pool } from '@karpenter/testkit/snapshots';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

const quantities = { cpu: '8', memory: '16Gi', pods: '128' };
const allocatable = { cpu: '7900m', memory: '15Gi', pods: '128' };
const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };

const labelsOf = (type: string, extra: Readonly<Record<string, string>> = {}) => ({
  'node.kubernetes.io/instance-type': type,
  'kubernetes.io/os': 'linux',
  'topology.kubernetes.io/region': 'us-west-2',
  'topology.kubernetes.io/zone': 'us-west-2a',
  ...extra,
});

const karpenterLabels = (capacityType: string) => ({
  'karpenter.sh/nodepool': 'default',
  'karpenter.sh/capacity-type': capacityType,
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
});

function node(name: string, labels: Readonly<Record<string, string>>, spec: Node['spec'] = {}): Node {
  return {
    metadata: { name, labels },
    spec,
    status: { capacity: quantities, allocatable, conditions: [ready] },
  };
}

/** Nodes of Karpenter, of a managed node group, on Windows, and without a provider ID. */
export const viewedNodes: readonly Node[] = [
  node(
    'spot-1',
    {
      ...labelsOf('c-8x-amd64-linux', karpenterLabels('spot')),
      'eks-node-viewer/instance-price': '0.152026',
    },
    { providerID: 'kwok://spot-1', taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] },
  ),
  node('demand-1', labelsOf('c5.2xlarge', karpenterLabels('on-demand')), {
    providerID: 'aws:///us-west-2a/i-1',
  }),
  node('managed-1', labelsOf('m5.large', { 'eks.amazonaws.com/capacityType': 'ON_DEMAND' }), {
    providerID: 'aws:///us-west-2a/i-2',
  }),
  node('windows-1', labelsOf('m5.large', { 'kubernetes.io/os': 'windows' }), {
    providerID: 'aws:///us-west-2a/i-3',
  }),
  node('bare-1', { 'kubernetes.io/os': 'linux' }),
  node('bare-2', { 'kubernetes.io/os': 'linux' }),
];

/** The sum of the prices of all nodes above and of the NodeClaim below that have one: label, c5.2xlarge, m5.large. */
export const expectedHourly = 0.152026 + 0.34 + 0.096 + 0.17;

interface PodParts {
  readonly name: string;
  readonly namespace: string;
  readonly node: string;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly cpu: string;
  readonly memory: string;
}

function pod({ name, namespace, node: nodeName, owner, cpu, memory }: PodParts): Pod {
  const hash: Readonly<Record<string, string>> =
    owner.kind === 'ReplicaSet' ? { 'pod-template-hash': '5f6d' } : {};
  return {
    metadata: {
      name,
      namespace,
      labels: { app: name, ...hash },
      ownerReferences: [{ apiVersion: 'apps/v1', ...owner, uid: '', controller: true }],
    },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory } } }],
      terminationGracePeriodSeconds: 0,
    },
  };
}

const viewedPods: readonly Pod[] = [
  ...['web-a', 'web-b'].map((name) =>
    pod({
      name,
      namespace: 'default',
      node: 'spot-1',
      owner: { kind: 'ReplicaSet', name: 'web-5f6d' },
      cpu: '1',
      memory: '1536Mi',
    }),
  ),
  pod({
    name: 'db-0',
    namespace: 'shop',
    node: 'managed-1',
    owner: { kind: 'StatefulSet', name: 'db' },
    cpu: '1500m',
    memory: '4Gi',
  }),
  ...['spot-1', 'managed-1', 'demand-1'].map((name) =>
    pod({
      name: `cni-${name}`,
      namespace: 'kube-system',
      node: name,
      owner: { kind: 'DaemonSet', name: 'cni' },
      cpu: '100m',
      memory: '64Mi',
    }),
  ),
];

/** Writes the objects as Karpenter, kubelets and controllers leave them in a cluster. */
export async function createViewedObjects(client: KubeClient): Promise<void> {
  await installDefinitions(client);
  await client.create(kinds.namespace, { metadata: { name: 'shop' } });
  for (const namespace of ['default', 'shop', 'kube-system']) await createAccount(client, namespace);
  await untilServed(client);
  await createPool(client);
  for (const object of viewedNodes) await client.create(kinds.node, object);
  const owners = await createOwners(client);
  for (const object of viewedPods) await createRunning(client, withOwner(object, owners));
  await createClaims(client);
  await client.create(kinds.event, {
    metadata: { name: 'kept-spot-1', namespace: 'default' },
    involvedObject: { kind: 'Node', name: 'spot-1' },
    reason: 'Unconsolidatable',
    message: "Can't remove without creating 4 candidates",
    lastTimestamp: '2026-01-01T00:00:00Z',
  });
}

/** One more pod of the Deployment `web`, which must be on a node of the NodePool. */
export async function createSmallPod(client: KubeClient, nodeName: string): Promise<void> {
  const { metadata } = await client.get(kinds.replicaSet, { namespace: 'default', name: 'web-5f6d' });
  const small = pod({
    name: 'web-c',
    namespace: 'default',
    node: nodeName,
    owner: { kind: 'ReplicaSet', name: 'web-5f6d' },
    cpu: '500m',
    memory: '512Mi',
  });
  const owned = withOwner(small, new Map([['web-5f6d', metadata?.uid ?? '']]));
  const nodeSelector = { 'karpenter.sh/nodepool': 'default' };
  await createRunning(client, { ...owned, spec: { containers: [], ...owned.spec, nodeSelector } });
}

/** The workloads behind the pods: the garbage collector deletes pods whose owner does not exist. */
async function createOwners(client: KubeClient): Promise<ReadonlyMap<string, string>> {
  const labels = { app: 'owned' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const made = [
    await client.create(kinds.replicaSet, { metadata: { name: 'web-5f6d', namespace: 'default' }, spec }),
    await client.create(kinds.statefulSet, {
      metadata: { name: 'db', namespace: 'shop' },
      spec: { ...spec, serviceName: 'db' },
    }),
    await client.create(kinds.daemonSet, { metadata: { name: 'cni', namespace: 'kube-system' }, spec }),
  ];
  return new Map(made.map(({ metadata }) => [metadata?.name ?? '', metadata?.uid ?? '']));
}

function withOwner(object: Pod, uids: ReadonlyMap<string, string>): Pod {
  const ownerReferences = object.metadata?.ownerReferences?.map((owner) => ({
    ...owner,
    uid: uids.get(owner.name) ?? '',
  }));
  return { ...object, metadata: { ...object.metadata, ...(ownerReferences && { ownerReferences }) } };
}

async function createAccount(client: KubeClient, namespace: string): Promise<void> {
  const account = { metadata: { name: 'default', namespace } };
  await client.create(kinds.serviceAccount, account).catch(() => undefined);
}

/** A real API server serves a new custom resource some moments after it has accepted it. */
async function untilServed(client: KubeClient): Promise<void> {
  for (;;) {
    const isServed = await Promise.all([client.list(nodePools), client.list(nodeClaims)]).then(
      () => true,
      () => false,
    );
    if (isServed) return;
  }
}

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

async function createPool(client: KubeClient): Promise<void> {
  const { template, ...spec } = pool('default').spec;
  await client.create(nodePools, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  });
  await client.patch(
    nodePools,
    { name: 'default' },
    {
      type: 'merge',
      body: { status: { conditions: conditions('ValidationSucceeded', 'NodeClassReady', 'Ready') } },
    },
    { subresource: 'status' },
  );
}

function conditions(...types: readonly string[]) {
  return types.map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  }));
}

async function createRunning(client: KubeClient, object: Pod): Promise<void> {
  const { name = '', namespace = '' } = (await client.create(kinds.pod, object)).metadata ?? {};
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  await client.patch(kinds.pod, { name, namespace }, { type: 'merge', body }, { subresource: 'status' });
}

/** The claim of demand-1, and one whose instance runs and has not joined yet. */
async function createClaims(client: KubeClient): Promise<void> {
  const done = conditions('Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready');
  await createClaim(client, {
    name: 'default-demand',
    type: 'c5.2xlarge',
    status: {
      providerID: 'aws:///us-west-2a/i-1',
      nodeName: 'demand-1',
      conditions: done,
      capacity: quantities,
      allocatable,
    },
  });
  await createClaim(client, {
    name: 'default-new',
    type: 'c5.xlarge',
    status: { providerID: 'aws:///us-west-2a/i-new', conditions: conditions('Launched') },
  });
}

async function createClaim(
  client: KubeClient,
  { name, type, status }: { readonly name: string; readonly type: string; readonly status: object },
): Promise<void> {
  await client.create(nodeClaims, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels: { ...labelsOf(type), ...karpenterLabels('on-demand') } },
    spec: {
      nodeClassRef,
      requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
      expireAfter: '720h',
    },
  });
  await client.patch(nodeClaims, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
}
