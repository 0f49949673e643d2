import { seeded } from '../harness/random.mjs';

export const nodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'KarpenterNodeRole-dev',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }],
  },
};

const within = (key, ...values) => ({ key, operator: 'In', values });

/** On-demand only: those prices are fixed, while spot prices are random. */
export const nodePool = (budget) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          within('kubernetes.io/arch', 'amd64'),
          within('karpenter.sh/capacity-type', 'on-demand'),
          within('karpenter.k8s.aws/instance-category', 'c', 'm', 'r'),
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '0s',
      budgets: [{ nodes: budget }],
    },
  },
});

const fewest = 5;
const most = 40;
const sizes = [
  { cpu: '100m', memory: '128Mi' },
  { cpu: '250m', memory: '512Mi' },
  { cpu: '500m', memory: '1Gi' },
  { cpu: '1', memory: '1536Mi' },
];

/** Deployments of 5 to 40 replicas with so many pods in total; deterministic. */
export function deployments(pods) {
  const random = seeded(7);
  const made = [];
  for (let left = pods; left > 0; ) {
    const replicas = Math.min(left, fewest + random.below(most - fewest + 1));
    made.push(deployment(`app-${made.length}`, replicas, random.pick(sizes)));
    left -= replicas;
  }
  return made;
}

function deployment(name, replicas, requests) {
  const labels = { app: name };
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: labels },
  };
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          topologySpreadConstraints: [spread],
          containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests } }],
        },
      },
    },
  };
}
