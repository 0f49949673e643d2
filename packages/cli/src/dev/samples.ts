import { ec2NodeClasses } from '@karpenter/aws';
import { nodeRoleName } from '@karpenter/aws/iam-policies';
import { nodePools } from '@karpenter/controllers';
import { isAlreadyExists, type Kind, type KubeClient, type KubeObject, kinds } from '@karpenter/kube/client';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { eksDaemonSets } from './eks-daemons.ts';

/** A Deployment to scale, as in Karpenter's getting-started guide: idle pods that request one CPU each. */
const inflate: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'inflate' } },
    template: {
      metadata: { labels: { app: 'inflate' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'inflate',
            image: 'public.ecr.aws/eks-distro/kubernetes/pause:3.7',
            resources: { requests: { cpu: '1' } },
          },
        ],
      },
    },
  },
};

/** The EC2NodeClass of the getting-started guide. */
function nodeClass(clusterName: string) {
  const selectorTerms = [{ tags: { 'karpenter.sh/discovery': clusterName } }];
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      role: nodeRoleName(clusterName),
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: selectorTerms,
      securityGroupSelectorTerms: selectorTerms,
    },
  } as const;
}

const nodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
        ],
        expireAfter: '720h',
      },
    },
    limits: { cpu: '1000' },
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' },
  },
} as const;

/** Creates the samples that do not exist yet. Never updates one, because the user may have changed or scaled it. */
export async function installSamples(client: KubeClient, clusterName: string): Promise<void> {
  for (const daemonSet of eksDaemonSets) await createOnce(client, kinds.daemonSet, daemonSet);
  await createOnce(client, kinds.deployment, inflate);
  await createOnce(client, ec2NodeClasses, nodeClass(clusterName));
  await createOnce(client, nodePools, nodePool);
}

async function createOnce(client: KubeClient, kind: Kind, object: KubeObject): Promise<void> {
  try {
    await client.create(kind, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
