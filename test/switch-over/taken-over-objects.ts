import { ec2NodeClasses } from '@karpenter/aws';
import type { NodeClaim } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import type { World } from '../walkthroughs/world.ts';

/** The hashes on an object, in the form of `Stamps`. */
export function stampsOf({ metadata }: Pick<NodeClaim, 'metadata'>): object {
  return {
    nodePool: {
      hash: metadata.annotations?.['karpenter.sh/nodepool-hash'],
      version: metadata.annotations?.['karpenter.sh/nodepool-hash-version'],
    },
    nodeClass: {
      hash: metadata.annotations?.['karpenter.k8s.aws/ec2nodeclass-hash'],
      version: metadata.annotations?.['karpenter.k8s.aws/ec2nodeclass-hash-version'],
    },
  };
}

export function isDrifted({ status }: NodeClaim): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Drifted' && value === 'True');
}

export async function claimNames(world: World): Promise<readonly string[]> {
  return (await world.nodeClaims()).map(({ metadata }) => metadata.name).sort();
}

export async function runningPods(world: World): Promise<number> {
  return (await world.pods('web')).filter(({ status }) => status?.phase === 'Running').length;
}

/** Pods that need a node each, so that no node is empty and none can be removed. */
export async function deployWeb(world: World, replicas: number): Promise<void> {
  const labels = { app: 'web' };
  const topologyKey = 'kubernetes.io/hostname';
  await world.client.create(kinds.deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'karpenter.sh/nodepool': 'default' },
          containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey, labelSelector: { matchLabels: labels } },
              ],
            },
          },
        },
      },
    },
  });
  await world.eventually(() => runningPods(world)).toBe(replicas);
}

/** What objects of Karpenter's kinds carry that Karpenter does not know: labels and annotations, and finalizers. */
export async function foreignMetadata(world: World) {
  const objects = [
    ...(await world.nodeClaims()),
    ...(await world.nodes()),
    await world.nodePool('default'),
    await world.client.get(ec2NodeClasses, { name: 'default' }),
  ];
  const keys = objects.flatMap(({ metadata }) => [
    ...Object.keys(metadata?.annotations ?? {}),
    ...Object.keys(metadata?.labels ?? {}),
  ]);
  const finalizers = new Set(objects.flatMap(({ metadata }) => metadata?.finalizers ?? []));
  const known = ['karpenter.k8s.aws/termination', 'karpenter.sh/termination'];
  return {
    keys: keys.filter((key) => key.startsWith('karpenter-ts')),
    finalizers: [...finalizers].filter((finalizer) => !known.includes(finalizer)),
  };
}

/** Name and holder of each Lease in the namespace. */
export async function leases(world: World, namespace: string) {
  const { items } = await world.client.list(kinds.lease, { namespace });
  return items.map(({ metadata, spec }) => [metadata?.name, spec?.holderIdentity]);
}
