import { ec2NodeClasses } from '@karpenter/aws';
import { nodePools } from '@karpenter/controllers';
import type { Kind, KubeClient, KubeObject } from '@karpenter/kube/client';
import { kinds } from '@karpenter/kube/client';
import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';

export interface TestWorkload {
  readonly name: string;
  readonly replicas: number;
  readonly pod?: Partial<PodSpec>;
  readonly resources?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const tolerated = (key: string) => ({ tolerations: [{ key, operator: 'Exists' as const }] });

/** One workload for each group; two of web have a budget. */
export const workloads: readonly TestWorkload[] = [
  { name: 'web', replicas: 6, resources: { cpu: '500m', memory: '1Gi' } },
  {
    name: 'batch',
    replicas: 2,
    resources: { cpu: '1' },
    pod: { nodeSelector: { team: 'batch' }, ...tolerated('dedicated') },
  },
  {
    name: 'train',
    replicas: 1,
    resources: { cpu: '1', 'nvidia.com/gpu': '1' },
    pod: tolerated('nvidia.com/gpu'),
  },
  { name: 'cheap', replicas: 3, resources: { cpu: '500m' }, pod: { nodeSelector: { lifecycle: 'spot' } } },
  { name: 'steady', replicas: 2, resources: { cpu: '500m' }, pod: { nodeSelector: { role: 'steady' } } },
];

export async function deploy(client: KubeClient, workload: TestWorkload): Promise<void> {
  const { name, replicas, pod, resources = {}, labels = {}, annotations } = workload;
  const limits = 'nvidia.com/gpu' in resources ? { limits: { 'nvidia.com/gpu': '1' } } : {};
  await client.create(kinds.deployment, {
    metadata: { namespace: 'default', name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name, ...labels }, ...(annotations !== undefined && { annotations }) },
        spec: {
          terminationGracePeriodSeconds: 5,
          containers: [{ name: 'main', image: 'pause', resources: { requests: resources, ...limits } }],
          ...pod,
        },
      },
    },
  });
}

export async function limitDisruption(
  client: KubeClient,
  app: string,
  maxUnavailable: number,
): Promise<void> {
  await client.create(kinds.podDisruptionBudget, {
    metadata: { namespace: 'default', name: app },
    spec: { maxUnavailable, selector: { matchLabels: { app } } },
  });
}

/** Cluster Autoscaler as an object: it runs as a pod and does nothing. */
export async function deployAutoscaler(client: KubeClient): Promise<void> {
  const labels = { app: 'cluster-autoscaler' };
  await client.create(kinds.deployment, {
    metadata: { namespace: 'kube-system', name: 'cluster-autoscaler' },
    spec: {
      replicas: 1,
      // An expression, because a migration must not take other pods of the namespace for it.
      selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [labels.app] }] },
      template: {
        metadata: { labels },
        spec: {
          tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
          nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
          containers: [
            {
              name: 'cluster-autoscaler',
              image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0',
              command: ['./cluster-autoscaler', '--cloud-provider=aws', '--scale-down-unneeded-time=30m'],
            },
          ],
        },
      },
    },
  });
}

/** Applies what `karpenter migrate manifests` printed. */
export async function applyManifests(client: KubeClient, text: string): Promise<void> {
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubeObject & { readonly kind: string };
    const kind = object.kind === 'NodePool' ? nodePools : ec2NodeClasses;
    await client.apply(kind as Kind, object, { fieldManager: 'test', fieldValidation: 'Strict' });
  }
}
