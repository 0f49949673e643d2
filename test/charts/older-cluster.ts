import { customResources } from '@karpenter/aws';
import { olderVersion } from '@karpenter/aws/conversion';
import type { JsonObject } from '@karpenter/core/schema';
import type { ControlPlane } from '@karpenter/testkit/control-plane';

/** The controllers delete NodeClaims whose class is gone; this keeps them readable. */
export const held = { finalizers: ['example.com/hold'] };

/** What a cluster of Karpenter 0.3x holds. */
export const olderObjects: readonly JsonObject[] = [
  {
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { ...held, name: 'old', labels: { app: 'shop' } },
    spec: {
      amiFamily: 'AL2023',
      role: 'KarpenterNodeRole-dev',
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }],
    },
  },
  {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodePool',
    metadata: { ...held, name: 'old', labels: { app: 'shop' } },
    spec: {
      template: {
        spec: {
          requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
          nodeClassRef: { name: 'old' },
          kubelet: { maxPods: 20, clusterDNS: ['10.0.100.10'] },
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', expireAfter: '24h' },
    },
  },
  {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodeClaim',
    metadata: { ...held, name: 'old', labels: { app: 'shop' } },
    spec: {
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
      nodeClassRef: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'gone' },
    },
  },
];

/** Definitions that have only v1beta1, which is stored. */
function olderDefinitions(): readonly object[] {
  return customResources.flatMap(({ definition }) => {
    const older = olderVersion(definition);
    if (older === undefined) return [];
    return [{ ...definition, spec: { ...definition.spec, versions: [{ ...older, storage: true }] } }];
  });
}

/** Creates the definitions and objects that a cluster of Karpenter 0.3x has. */
export async function fillOlderCluster({ kubectl }: ControlPlane): Promise<void> {
  const create = async (items: readonly object[], ...args: readonly string[]) => {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { code, stderr } = await kubectl([...args, '--filename=-'], { input });
    if (code !== 0) throw new Error(`kubectl ${args[0]} failed: ${stderr}`);
  };
  await create(olderDefinitions(), 'create');
  await create(olderDefinitions(), 'wait', '--for=condition=Established', '--timeout=60s');
  await create(olderObjects, 'create');
}
