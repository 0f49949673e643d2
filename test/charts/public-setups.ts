/** Values as people publish them for Karpenter's chart, and what they need the nodes to be labelled with. */
export interface PublicSetup {
  readonly title: string;
  readonly values: object;
  readonly nodeLabels?: readonly string[];
}

export const publicSetups: readonly PublicSetup[] = [
  {
    title: 'an IAM role for the service account, requests and limits, and an interruption queue',
    values: {
      serviceAccount: {
        annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/karpenter' },
      },
      settings: { clusterName: 'shop', interruptionQueue: 'shop' },
      controller: {
        resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: 1, memory: '1Gi' } },
      },
    },
  },
  {
    title: 'nodes of their own, with values of older releases that have no effect any more',
    values: {
      nodeSelector: { 'karpenter.sh/controller': 'true' },
      dnsPolicy: 'Default',
      settings: { clusterName: 'shop', clusterEndpoint: 'https://shop.example', interruptionQueue: 'shop' },
      tolerations: [
        { key: 'CriticalAddonsOnly', operator: 'Exists' },
        { key: 'karpenter.sh/controller', operator: 'Exists', effect: 'NoSchedule' },
      ],
      webhook: { enabled: false },
    },
    nodeLabels: ['karpenter.sh/controller=true'],
  },
  {
    title: 'an account that others create, and one replica on a node group',
    values: {
      serviceAccount: { create: false, name: 'default' },
      replicas: 1,
      nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
      podAnnotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': 8080 },
      logLevel: 'debug',
      settings: { clusterName: 'shop', featureGates: { spotToSpotConsolidation: true } },
    },
    nodeLabels: ['eks.amazonaws.com/nodegroup=system'],
  },
  {
    title: 'a ServiceMonitor for the Prometheus Operator',
    values: {
      serviceMonitor: {
        enabled: true,
        additionalLabels: { release: 'kube-prometheus-stack' },
        endpointConfig: { interval: '30s' },
      },
      podDisruptionBudget: { maxUnavailable: 1 },
      settings: { clusterName: 'shop' },
    },
  },
  {
    title: 'a part of a larger chart, which passes its own values on',
    values: {
      enabled: true,
      global: { clusterName: 'shop' },
      settings: { clusterName: '{{ .Values.global.clusterName }}', isolatedVPC: 'true' },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: null,
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname' } },
          ],
        },
      },
    },
  },
];
