import { MemoryClusters, nodePools } from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import { DecisionLog } from '@karpenter/core/decisions';
import { kinds } from '@karpenter/kube/client';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { type CloudWorld, embeddedWorld } from '../../walkthroughs/world.ts';

/** A cluster with random workloads, and the log of what its controllers decide. */
export interface RandomRun {
  readonly log: DecisionLog;
  /** Does something random and lets some time pass. */
  step(): Promise<void>;
  stop(): Promise<void>;
}

const deployments = 6;
const maxReplicas = 12;

export async function startRandomRun(seed: number): Promise<RandomRun> {
  const chance = new SeededRandom(seed);
  const logs: DecisionLog[] = [];
  const world = await embeddedWorld({
    seed,
    flags: { 'feature-gates': 'SpotToSpotConsolidation=true' },
    decisions: (now) => {
      const log = new DecisionLog({
        size: 5_000,
        clusters: new MemoryClusters(5_000),
        now,
        processName: 'run',
      });
      logs.push(log);
      return log;
    },
  });
  await world.apply('01-first-node/nodeclass.yaml');
  for (const pool of [poolOf('default', chance), poolOf('other', chance)])
    await world.client.create(nodePools, pool);
  for (let app = 0; app < deployments; app += 1)
    await world.client.create(kinds.deployment, deployment(`app-${app}`, chance));
  const [log] = logs;
  if (log === undefined) throw new Error('the world has made no log');
  return { log, step: () => step(world, chance), stop: () => world.stop() };
}

async function step(world: CloudWorld, chance: SeededRandom): Promise<void> {
  await chance.pick([scaleOne, scaleOne, scaleOne, scaleOne, drift, interrupt, runDry, addOddPod])(
    world,
    chance,
  );
  for (let passed = 0; passed < chance.integer(10, 60); passed += 1) await world.pass(500);
}

async function scaleOne(world: CloudWorld, chance: SeededRandom): Promise<void> {
  await world.scale(`app-${chance.integer(0, deployments - 1)}`, chance.integer(0, maxReplicas));
}

/** A new label of the template makes all nodes of the pool drift. */
async function drift({ client }: CloudWorld, chance: SeededRandom): Promise<void> {
  const name = chance.pick(['default', 'other']);
  const labels = { generation: `g${chance.integer(0, 1_000)}` };
  const body = { spec: { template: { metadata: { labels } } } };
  await client.patch(nodePools, { name }, { type: 'merge', body });
}

/** Interrupts the instance of a random node, if EC2 can: it does not interrupt on-demand instances. */
async function interrupt(world: CloudWorld, chance: SeededRandom): Promise<void> {
  const [first, ...others] = await world.nodes();
  if (first === undefined) return;
  const { spec } = chance.pick([first, ...others]);
  world.cloud.interrupt(spec?.providerID?.split('/').at(-1) ?? '');
}

/** Some capacity is gone until the next time. */
async function runDry({ cloud }: CloudWorld, chance: SeededRandom): Promise<void> {
  const zones = chance.pick(['us-west-2a', 'us-west-2b', '*']);
  const capacityTypes = chance.pick(['spot', 'on-demand']);
  cloud.faults.set({ capacity: chance.happens(0.5) ? [{ types: '*', zones, capacityTypes, depth: 0 }] : [] });
}

/** No node is large enough for it. */
async function addOddPod({ client }: CloudWorld, chance: SeededRandom): Promise<void> {
  const resources = { requests: { cpu: '10k' } };
  const name = `odd-${chance.integer(0, 1_000_000)}`;
  const spec = { containers: [{ name: 'main', image: 'app', resources }] };
  await client.create(kinds.pod, { metadata: { name, namespace: 'default' }, spec });
}

function poolOf(name: string, chance: SeededRandom): NodePool {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const families = chance.pick([['c', 'm', 'r'], ['m'], ['c', 't']]);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      weight: chance.integer(1, 10),
      template: {
        spec: {
          expireAfter: '720h',
          nodeClassRef,
          requirements: [
            {
              key: 'karpenter.sh/capacity-type',
              operator: 'In',
              values: chance.pick([['spot', 'on-demand'], ['on-demand']]),
            },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: families },
          ],
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: chance.pick(['0s', '10s']),
        budgets: [{ nodes: '60%' }],
      },
    },
  };
}

function deployment(name: string, chance: SeededRandom) {
  const labels = { app: name };
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: chance.pick(['DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: { matchLabels: labels },
  };
  const requests = {
    cpu: chance.pick(['250m', '500m', '1', '2', '3500m']),
    memory: chance.pick(['512Mi', '2Gi', '6Gi']),
  };
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: chance.integer(0, maxReplicas),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...(chance.happens(0.5) && { topologySpreadConstraints: [spread] }),
          containers: [{ name: 'main', image: 'app', resources: { requests } }],
        },
      },
    },
  };
}
