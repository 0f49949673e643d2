import { customResources } from '@karpenter/aws';
import { installDefinitions } from '@karpenter/cli/embedded';
import { type KubeClient, kindOf, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';
import { pool } from '@karpenter/testkit/snapshots';
import type { Pod } from 'kubernetes-types/core/v1.js';

const [, , , , ec2NodeClass] = customResources;
const ec2NodeClasses = kindOf(ec2NodeClass);

const capacity = { cpu: '8', memory: '32Gi', pods: '58', 'ephemeral-storage': '20Gi' };
const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

/** Dollars an hour for m5.2xlarge on demand, which all nodes are. */
export const nodePrice = 0.384;
export const nodeNames = ['node-a', 'node-b', 'node-c'] as const;

/**
 * A NodePool with three nodes: `node-a` runs three pods and a daemon, `node-b` one pod of the same workload that may
 * not be disrupted, `node-c` nothing.
 */
export async function createRunningCluster(client: KubeClient): Promise<void> {
  await installDefinitions(client);
  await untilServed(client);
  await client.create(kinds.serviceAccount, account).catch(() => undefined);
  await createPool(client);
  for (const [index, name] of nodeNames.entries()) await createNode(client, name, `i-${index}`);
  const owners = await createOwners(client);
  for (const name of ['web-1', 'web-2', 'web-3'])
    await createPod(client, { name, node: 'node-a', owner: owners.web });
  const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
  await createPod(client, { name: 'web-4', node: 'node-b', owner: owners.web, annotations });
  await createPod(client, { name: 'cni-a', node: 'node-a', owner: owners.cni, cpu: '100m' });
}

const account = { metadata: { name: 'default', namespace: 'default' } };

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

async function createPool(client: KubeClient): Promise<void> {
  const { template, ...spec } = pool('default').spec;
  await client.create(nodePools, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  });
  const status = { conditions: conditions('ValidationSucceeded', 'NodeClassReady', 'Ready') };
  const body = { status };
  await client.patch(nodePools, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' });
}

async function createNode(client: KubeClient, name: string, id: string): Promise<void> {
  const providerID = `aws:///us-west-2a/${id}`;
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'node.kubernetes.io/instance-type': 'm5.2xlarge',
    'topology.kubernetes.io/region': 'us-west-2',
    'topology.kubernetes.io/zone': 'us-west-2a',
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/capacity-type': 'on-demand',
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
  };
  const resources = { capacity, allocatable: capacity };
  await client.create(kinds.node, {
    metadata: { name, labels },
    spec: { providerID },
    status: { ...resources, conditions: [ready] },
  });
  // A real API server taints new nodes as not ready, until a controller removes the taint.
  await client.patch(kinds.node, { name }, { type: 'merge', body: { spec: { taints: null } } });
  await client.create(nodeClaims, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: `claim-${name}`, labels },
    spec: {
      nodeClassRef,
      requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
      expireAfter: '720h',
    },
  });
  const done = conditions('Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready');
  const body = { status: { ...resources, providerID, nodeName: name, conditions: done } };
  await client.patch(
    nodeClaims,
    { name: `claim-${name}` },
    { type: 'merge', body },
    { subresource: 'status' },
  );
}

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The workloads behind the pods: the garbage collector deletes pods whose owner does not exist. */
async function createOwners(client: KubeClient): Promise<{ readonly web: Owner; readonly cni: Owner }> {
  const labels = { app: 'owned' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const named = (name: string) => ({ metadata: { name, namespace: 'default' }, spec });
  const web = await client.create(kinds.replicaSet, named('web-5f6d'));
  const cni = await client.create(kinds.daemonSet, named('cni'));
  return {
    web: { kind: 'ReplicaSet', name: 'web-5f6d', uid: web.metadata?.uid ?? '' },
    cni: { kind: 'DaemonSet', name: 'cni', uid: cni.metadata?.uid ?? '' },
  };
}

interface RunningPod {
  readonly name: string;
  readonly node: string;
  readonly owner: Owner;
  readonly cpu?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

async function createPod(
  client: KubeClient,
  { name, node, owner, cpu = '1500m', annotations = {} }: RunningPod,
): Promise<void> {
  const pod: Pod = {
    metadata: {
      name,
      namespace: 'default',
      labels: { app: 'web', 'pod-template-hash': '5f6d' },
      annotations,
      ownerReferences: [{ apiVersion: 'apps/v1', controller: true, ...owner }],
    },
    spec: {
      nodeName: node,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory: '1Gi' } } }],
      terminationGracePeriodSeconds: 0,
    },
  };
  await client.create(kinds.pod, pod);
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  await client.patch(
    kinds.pod,
    { name, namespace: 'default' },
    { type: 'merge', body },
    { subresource: 'status' },
  );
}

/** An EC2NodeClass with one subnet, as its controller has found it. */
export async function createNodeClass(client: KubeClient, zone: string): Promise<void> {
  const path = '/apis/karpenter.k8s.aws/v1/ec2nodeclasses';
  const terms = [{ tags: { any: '*' } }];
  await client.request('POST', path, {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      role: 'node',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: terms,
      securityGroupSelectorTerms: terms,
    },
  });
  const body = { status: { subnets: [{ id: 'subnet-1', zone, zoneID: 'usw2-az2' }] } };
  await client.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' });
}
