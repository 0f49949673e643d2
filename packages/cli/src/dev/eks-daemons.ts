import type { DaemonSet } from 'kubernetes-types/apps/v1.js';
import type { Container } from 'kubernetes-types/core/v1.js';

interface Daemon {
  readonly name: string;
  readonly containers: readonly Container[];
}

const registry = '602401143452.dkr.ecr.us-west-2.amazonaws.com/eks';

function container(name: string, image: string, requests: Readonly<Record<string, string>>): Container {
  return { name, image: `${registry}/${image}`, resources: { requests: { ...requests } } };
}

const csi = { cpu: '10m', memory: '40Mi' };

/** The add-ons of an EKS cluster that run on every node, with the requests that EKS gives them. */
const daemons: readonly Daemon[] = [
  {
    name: 'aws-node',
    containers: [
      container('aws-node', 'amazon-k8s-cni', { cpu: '25m' }),
      container('aws-eks-nodeagent', 'aws-network-policy-agent', { cpu: '25m' }),
    ],
  },
  { name: 'kube-proxy', containers: [container('kube-proxy', 'kube-proxy', { cpu: '100m' })] },
  {
    name: 'ebs-csi-node',
    containers: [
      container('ebs-plugin', 'aws-ebs-csi-driver', csi),
      container('node-driver-registrar', 'csi-node-driver-registrar', csi),
      container('liveness-probe', 'livenessprobe', csi),
    ],
  },
];

/** They tolerate every taint, so they run on nodes that are not ready too, as on EKS. */
export const eksDaemonSets: readonly DaemonSet[] = daemons.map(({ name, containers }) => {
  const labels = { 'app.kubernetes.io/name': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ operator: 'Exists' }],
          containers: [...containers],
        },
      },
    },
  };
});
