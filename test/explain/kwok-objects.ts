import { type KubeClient, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';

const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
const at = '2026-01-01T00:00:00Z';

const condition = (type: string) => ({
  type,
  status: 'True',
  reason: type,
  message: '',
  lastTransitionTime: at,
  observedGeneration: 1,
});

const labels = {
  'eks-node-viewer/instance-price': '0.152026',
  'karpenter.kwok.sh/instance-family': 'c',
  'karpenter.kwok.sh/kwoknodeclass': 'default',
  'karpenter.sh/capacity-type': 'spot',
  'karpenter.sh/nodepool': 'kwok',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/os': 'linux',
  'node.kubernetes.io/instance-type': 'c-8x-amd64-linux',
  'topology.kubernetes.io/zone': 'test-zone-b',
};
const annotations = {
  'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
  'karpenter.sh/nodepool-hash': '12745407319442031341',
  'karpenter.sh/nodepool-hash-version': 'v3',
};
const allocatable = { cpu: '7900m', 'ephemeral-storage': '20Gi', memory: '16374Mi', pods: '128' };
const capacity = { cpu: '5', memory: '7680Mi', pods: '5' };

/** A NodePool, its NodeClaim and Node in the shape that Karpenter writes with its simulated provider. */
export async function createKwokObjects(client: KubeClient): Promise<void> {
  await client.create(nodePools, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'kwok' },
    spec: {
      template: { spec: { nodeClassRef, expireAfter: '720h', requirements: [] } },
      disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenEmptyOrUnderutilized', budgets: [] },
    },
  });
  const poolStatus = {
    status: { conditions: ['NodeClassReady', 'ValidationSucceeded', 'Ready'].map(condition) },
  };
  await status(client, nodePools, 'kwok', poolStatus);
  const providerID = 'kwok://kwok-node';
  await client.create(kinds.node, {
    metadata: {
      name: 'kwok-node',
      annotations,
      labels: { ...labels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' },
    },
    spec: { providerID },
    status: {
      allocatable,
      capacity,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at }],
    },
  });
  await client.create(nodeClaims, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'kwok-claim', annotations, labels },
    spec: {
      nodeClassRef,
      expireAfter: '720h',
      requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
    },
  });
  const steps = ['Launched', 'ConsistentStateFound', 'Registered', 'Initialized', 'Consolidatable', 'Ready'];
  const claimStatus = { providerID, nodeName: 'kwok-node', allocatable, capacity, lastPodEventTime: at };
  await status(client, nodeClaims, 'kwok-claim', {
    status: { ...claimStatus, conditions: steps.map(condition) },
  });
}

async function status(
  client: KubeClient,
  kind: typeof nodePools | typeof nodeClaims,
  name: string,
  body: object,
): Promise<void> {
  await client.patch(kind as typeof nodePools, { name }, { type: 'merge', body }, { subresource: 'status' });
}
