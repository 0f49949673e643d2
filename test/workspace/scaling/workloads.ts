import { kinds } from '@karpenter/kube/client';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';
import type { CloudWorld } from '../../walkthroughs/world.ts';

const zones = 3;

interface Size {
  readonly cpu: string;
  readonly memory: string;
}

const sizes: readonly [Size, ...Size[]] = [
  { cpu: '100m', memory: '128Mi' },
  { cpu: '250m', memory: '512Mi' },
  { cpu: '500m', memory: '1Gi' },
  { cpu: '1', memory: '1536Mi' },
];

export interface Workload {
  readonly replicas: () => number;
  readonly size: () => Size;
}

/** Pods of all sizes, up to the maximum number. */
export const mixed = (chance: SeededRandom): Workload => ({
  replicas: () => chance.integer(3, 20),
  size: () => chance.pick(sizes),
});

/** Pods that fit wherever kube-scheduler puts the others: all of one size, and equally many in each zone. */
export function even(chance: SeededRandom): Workload {
  const size = chance.pick(sizes);
  return { replicas: () => zones * chance.integer(1, 7), size: () => size };
}

export interface Amount {
  /** Number of pods in total. */
  readonly pods: number;
  /** The share of its pods that each deployment has; defaults to all. */
  readonly share?: number;
}

/** Deployments with as many pods in total as asked. */
export async function createDeployments(
  { client }: CloudWorld,
  { replicas, size }: Workload,
  { pods, share = 1 }: Amount,
): Promise<void> {
  for (let left = pods, count = 0; left > 0; count += 1) {
    const number = Math.min(left, replicas());
    await client.create(kinds.deployment, deployment(`app-${count}`, Math.ceil(number * share), size()));
    left -= number;
  }
}

/** No zone gets more than its share while nodes of other zones are still launching. */
function deployment(name: string, replicas: number, requests: Size) {
  const labels = { app: name };
  const spread = {
    maxSkew: 1,
    minDomains: zones,
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
          topologySpreadConstraints: [spread],
          containers: [
            {
              name: 'main',
              image: 'app',
              resources: { requests: { cpu: requests.cpu, memory: requests.memory } },
            },
          ],
        },
      },
    },
  };
}
