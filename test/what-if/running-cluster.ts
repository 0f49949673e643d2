import { customResources } from '@karpenter/aws';
import { type KubeClient, kindOf, kinds } from '@karpenter/kube/client';
import {
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

const [, , , , ec2NodeClass] = customResources;
const ec2NodeClasses = kindOf(ec2NodeClass);

const capacity = { cpu: '8', memory: '32Gi', pods: '58', 'ephemeral-storage': '20Gi' };

/** Dollars an hour for m5.2xlarge on demand, which all nodes are. */
export const nodePrice = 0.384;
export const nodeNames = ['node-a', 'node-b', 'node-c'] as const;

/**
 * A NodePool with three nodes: `node-a` runs three pods and a daemon, `node-b` one pod of the same workload that may
 * not be disrupted, `node-c` nothing.
 */
export async function createRunningCluster(client: KubeClient): Promise<void> {
  await installServed(client);
  await createAccount(client, 'default');
  await createPool(client);
  for (const [index, name] of nodeNames.entries()) await createNode(client, name, `i-${index}`);
  const namespace = 'default';
  const owner = await createOwner(client, kinds.replicaSet, { name: 'web-5f6d', namespace });
  const web = { owner, labels: { app: 'web' }, cpu: '1500m', memory: '1Gi' };
  for (const name of ['web-1', 'web-2', 'web-3'])
    await createRunning(client, { ...web, name, node: 'node-a' });
  const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
  await createRunning(client, { ...web, name: 'web-4', node: 'node-b', annotations });
  const cni = await createOwner(client, kinds.daemonSet, { name: 'cni', namespace });
  const daemon = { name: 'cni-a', node: 'node-a', owner: cni, cpu: '100m', memory: '1Gi' };
  await createRunning(client, daemon);
}

async function createNode(client: KubeClient, name: string, id: string): Promise<void> {
  const providerID = `aws:///us-west-2a/${id}`;
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/arch': 'amd64',
    ...nodeLabels('m5.2xlarge'),
    ...karpenterLabels('on-demand'),
  };
  const resources = { capacity, allocatable: capacity };
  await client.create(kinds.node, {
    metadata: { name, labels },
    spec: { providerID },
    status: { ...resources, conditions: [ready] },
  });
  // A real API server taints new nodes as not ready, until a controller removes the taint.
  await client.patch(kinds.node, { name }, { type: 'merge', body: { spec: { taints: null } } });
  await createClaim(client, {
    name: `claim-${name}`,
    labels,
    status: { ...resources, providerID, nodeName: name, conditions: consolidatable },
  });
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
