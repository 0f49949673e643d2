import { nodePools } from '@karpenter/controllers';
import { isConditionTrue, type NodePool } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { afterEach, describe, expect, it } from 'vitest';
import { passQuietly } from '../walkthroughs/quiet-pass.ts';
import { type CloudWorld, embeddedWorld, type WorldOptions } from '../walkthroughs/world.ts';

// Deployments that spread over zones, from an empty cluster: one plan covers all of them. Launches, joins and
// bindings until the last pod runs, in whatever order, must not cause another node.

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const zones = 3;
const pods = 120;
/** Five minutes of virtual time, far more than needed. */
const mostSteps = 600;

/** Without disruption, so that the provisioner creates every NodeClaim. */
const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        expireAfter: '720h',
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmpty',
      consolidateAfter: 'Never',
      budgets: [{ nodes: '0' }],
    },
  },
};

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

interface Workload {
  readonly replicas: () => number;
  readonly size: () => Size;
}

/** Pods of all sizes, up to the maximum number. */
const mixed = (chance: SeededRandom): Workload => ({
  replicas: () => chance.integer(3, 20),
  size: () => chance.pick(sizes),
});

/** Pods that fit wherever kube-scheduler puts the others: all of one size, and equally many in each zone. */
function even(chance: SeededRandom): Workload {
  const size = chance.pick(sizes);
  return { replicas: () => zones * chance.integer(1, 7), size: () => size };
}

async function createDeployments({ client }: CloudWorld, { replicas, size }: Workload): Promise<void> {
  for (let left = pods, count = 0; left > 0; count += 1) {
    const number = Math.min(left, replicas());
    await client.create(kinds.deployment, deployment(`app-${count}`, number, size()));
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

async function begin(options: WorldOptions, workload: Workload): Promise<CloudWorld> {
  const begun = await embeddedWorld(options);
  world = begun;
  await begun.apply('01-first-node/nodeclass.yaml');
  await begun.client.create(nodePools, pool);
  await until(begun, 'a pool that is ready', async () => {
    const { status } = await begun.nodePool('default');
    return isConditionTrue({ conditions: status?.conditions ?? [] }, 'Ready');
  });
  await createDeployments(begun, workload);
  return begun;
}

async function until(on: CloudWorld, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isTrue()); steps += 1) {
    if (steps === mostSteps) throw new Error(`${what} did not happen within five minutes of virtual time`);
    await passQuietly(on);
  }
}

async function areAllRunning({ client }: CloudWorld): Promise<boolean> {
  const { items } = await client.list(kinds.pod, { namespace: 'default' });
  return items.filter(({ status }) => status?.phase === 'Running').length === pods;
}

async function areAllInitialized(on: CloudWorld): Promise<boolean> {
  const claims = await on.nodeClaims();
  const isInitialized = ({ status }: (typeof claims)[number]) =>
    isConditionTrue({ conditions: status?.conditions ?? [] }, 'Initialized');
  return claims.length > 0 && claims.every(isInitialized);
}

/** Number of NodeClaims of each plan. */
function planned({ log }: CloudWorld): readonly number[] {
  const plans = log.filter(({ message }) => message === 'computed new nodeclaim(s) to fit pod(s)');
  return plans.map(({ nodeclaims }) => Number(nodeclaims));
}

const created = ({ log }: CloudWorld) => log.filter(({ message }) => message === 'created nodeclaim').length;

describe('deployments with zone spread, from an empty cluster', () => {
  it.each(seeds({ quick: 1, full: 2 }))(
    'are planned once while their nodes launch, however long that takes (seed %i)',
    async (seed) => {
      const boots = { bootDelay: durationMs(30_000), bootJitter: durationMs(10_000) };
      const begun = await begin({ seed, ...boots }, mixed(new SeededRandom(seed)));
      await until(begun, 'all nodes initialized', () => areAllInitialized(begun));
      expect(planned(begun)).toEqual([created(begun)]);
      await until(begun, 'all pods running', () => areAllRunning(begun));
    },
    900_000,
  );

  it.each([
    { seed: 3, jitter: 0 },
    { seed: 4, jitter: 4_000 },
  ])(
    'get the nodes of exactly one plan until all pods run (seed $seed, boots up to $jitter ms apart)',
    async ({ seed, jitter }) => {
      const begun = await begin({ seed, bootJitter: durationMs(jitter) }, even(new SeededRandom(seed)));
      await until(begun, 'all pods running', () => areAllRunning(begun));
      expect(planned(begun)).toEqual([created(begun)]);
      expect(await begun.nodeClaims()).toHaveLength(created(begun));
    },
    900_000,
  );
});
