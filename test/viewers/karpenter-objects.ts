import { type KubeClient, kinds } from '@karpenter/kube/client';
import type { Node } from 'kubernetes-types/core/v1.js';
import {
  conditions,
  consolidatable,
  createAccount,
  createClaim,
  createOwner,
  createPool,
  createRunning,
  installServed,
  karpenterLabels,
  nodeLabels,
  ready,
} from '../live-commands/karpenter-objects.ts';

const quantities = { cpu: '8', memory: '16Gi', pods: '128' };
const allocatable = { cpu: '7900m', memory: '15Gi', pods: '128' };

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
      ...nodeLabels('c-8x-amd64-linux'),
      ...karpenterLabels('spot'),
      'eks-node-viewer/instance-price': '0.152026',
    },
    { providerID: 'kwok://spot-1', taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] },
  ),
  node(
    'demand-1',
    { ...nodeLabels('c5.2xlarge'), ...karpenterLabels('on-demand') },
    { providerID: 'aws:///us-west-2a/i-1' },
  ),
  node(
    'managed-1',
    { ...nodeLabels('m5.large'), 'eks.amazonaws.com/capacityType': 'ON_DEMAND' },
    { providerID: 'aws:///us-west-2a/i-2' },
  ),
  node(
    'windows-1',
    { ...nodeLabels('m5.large'), 'kubernetes.io/os': 'windows' },
    { providerID: 'aws:///us-west-2a/i-3' },
  ),
  node('bare-1', { 'kubernetes.io/os': 'linux' }),
  node('bare-2', { 'kubernetes.io/os': 'linux' }),
];

/** The sum of the prices of all nodes above and of the NodeClaim below that have one: label, c5.2xlarge, m5.large. */
export const expectedHourly = 0.152026 + 0.34 + 0.096 + 0.17;

/** Writes the objects as Karpenter, kubelets and controllers leave them in a cluster. */
export async function createViewedObjects(client: KubeClient): Promise<void> {
  await installServed(client);
  await client.create(kinds.namespace, { metadata: { name: 'shop' } });
  for (const namespace of ['default', 'shop', 'kube-system']) await createAccount(client, namespace);
  await createPool(client);
  for (const object of viewedNodes) await client.create(kinds.node, object);
  await createPods(client);
  await createClaims(client);
  await client.create(kinds.event, {
    metadata: { name: 'kept-spot-1', namespace: 'default' },
    involvedObject: { kind: 'Node', name: 'spot-1' },
    reason: 'Unconsolidatable',
    message: "Can't remove without creating 4 candidates",
    lastTimestamp: '2026-01-01T00:00:00Z',
  });
}

const webSet = { name: 'web-5f6d', namespace: 'default' };

async function createPods(client: KubeClient): Promise<void> {
  const web = { owner: await createOwner(client, kinds.replicaSet, webSet), cpu: '1', memory: '1536Mi' };
  for (const name of ['web-a', 'web-b']) await createRunning(client, { ...web, name, node: 'spot-1' });
  const shop = { namespace: 'shop', cpu: '1500m', memory: '4Gi' };
  const db = await createOwner(client, kinds.statefulSet, { name: 'db', namespace: 'shop' });
  await createRunning(client, { ...shop, name: 'db-0', node: 'managed-1', owner: db });
  const system = { namespace: 'kube-system', cpu: '100m', memory: '64Mi' };
  const cni = await createOwner(client, kinds.daemonSet, { name: 'cni', namespace: 'kube-system' });
  for (const name of ['spot-1', 'managed-1', 'demand-1'])
    await createRunning(client, { ...system, name: `cni-${name}`, node: name, owner: cni });
}

/** One more pod of the Deployment `web`, which must be on a node of the NodePool. */
export async function createSmallPod(client: KubeClient, nodeName: string): Promise<void> {
  const { metadata } = await client.get(kinds.replicaSet, webSet);
  await createRunning(client, {
    name: 'web-c',
    node: nodeName,
    owner: { kind: 'ReplicaSet', name: webSet.name, uid: metadata?.uid ?? '' },
    cpu: '500m',
    memory: '512Mi',
    nodeSelector: { 'karpenter.sh/nodepool': 'default' },
  });
}

/** The claim of demand-1, and one whose instance runs and has not joined yet. */
async function createClaims(client: KubeClient): Promise<void> {
  const labels = (type: string) => ({ ...nodeLabels(type), ...karpenterLabels('on-demand') });
  await createClaim(client, {
    name: 'default-demand',
    labels: labels('c5.2xlarge'),
    status: {
      providerID: 'aws:///us-west-2a/i-1',
      nodeName: 'demand-1',
      conditions: consolidatable,
      capacity: quantities,
      allocatable,
    },
  });
  await createClaim(client, {
    name: 'default-new',
    labels: labels('c5.xlarge'),
    status: { providerID: 'aws:///us-west-2a/i-new', conditions: conditions('Launched') },
  });
}
