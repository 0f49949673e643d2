import { nodeClaims, nodePools } from '@karpenter/controllers';
import { isNotFound, kinds } from '@karpenter/kube/client';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';
import type { World } from '../../walkthroughs/world.ts';
import { inconsistenciesOf } from './inconsistencies.ts';

/** A small cluster that keeps changing. */
export interface RestlessCluster
  extends Pick<World, 'client' | 'apply' | 'scale' | 'nodes' | 'nodeClaims' | 'pods'> {
  readonly cloud: SimulatedCloud;
  readonly chance: SeededRandom;
  /** Called with instances that are about to be terminated. */
  readonly onLoss: (id: string) => void;
  /** Replicas by deployment. */
  readonly wanted: Map<string, number>;
}

/** Nodes that the NodePool allows to be disrupted at once. */
export const budget = 2;

export async function setUp(cluster: RestlessCluster): Promise<void> {
  await cluster.apply('01-first-node/nodeclass.yaml');
  await cluster.apply('../../test/workspace/crash/restless-cluster.yaml');
  cluster.wanted.set('web', 3).set('batch', 1);
}

type Disturbance = (cluster: RestlessCluster) => Promise<void>;

/** Scaling and drift are the most frequent. */
const disturbances: readonly [Disturbance, ...Disturbance[]] = [
  scaleWeb,
  scaleWeb,
  scaleBatch,
  scaleBatch,
  drift,
  drift,
  interrupt,
  deleteClaim,
  deleteNode,
  terminate,
];

export async function disturb(cluster: RestlessCluster): Promise<void> {
  await cluster.chance.pick(disturbances)(cluster);
}

function scaleWeb(cluster: RestlessCluster): Promise<void> {
  return scale(cluster, 'web', cluster.chance.integer(0, 8));
}

function scaleBatch(cluster: RestlessCluster): Promise<void> {
  return scale(cluster, 'batch', cluster.chance.integer(0, 4));
}

async function scale(cluster: RestlessCluster, name: string, replicas: number): Promise<void> {
  cluster.wanted.set(name, replicas);
  await cluster.scale(name, replicas);
}

/** Changes the template of the NodePool, so that its nodes drift. */
async function drift({ client, chance }: RestlessCluster): Promise<void> {
  const labels = { 'example.com/release': String(chance.integer(1, 1_000)) };
  await client.patch(
    nodePools,
    { name: 'default' },
    { type: 'merge', body: { spec: { template: { metadata: { labels } } } } },
  );
}

async function interrupt(cluster: RestlessCluster): Promise<void> {
  const id = anInstance(cluster);
  if (id !== undefined && cluster.cloud.interrupt(id)) cluster.onLoss(id);
}

/** Terminates an instance without notice. */
async function terminate(cluster: RestlessCluster): Promise<void> {
  const id = anInstance(cluster);
  if (id !== undefined && cluster.cloud.terminate(id)) cluster.onLoss(id);
}

async function deleteClaim(cluster: RestlessCluster): Promise<void> {
  const [first, ...others] = await cluster.nodeClaims();
  if (first === undefined) return;
  const { name } = cluster.chance.pick([first, ...others]).metadata;
  await ifThere(cluster.client.delete(nodeClaims, { name }));
}

async function deleteNode(cluster: RestlessCluster): Promise<void> {
  const [first, ...others] = await cluster.nodes();
  if (first === undefined) return;
  const { name = '' } = cluster.chance.pick([first, ...others]).metadata ?? {};
  await ifThere(cluster.client.delete(kinds.node, { name }));
}

/** Work on an object that may be gone by now. */
export async function ifThere(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

function anInstance({ cloud, chance }: RestlessCluster): string | undefined {
  const [first, ...others] = aliveInstances(cloud);
  return first === undefined ? undefined : chance.pick([first, ...others]);
}

function aliveInstances({ world }: SimulatedCloud): readonly string[] {
  const all = [...world.instances.values()];
  return all.filter(({ state }) => state === 'pending' || state === 'running').map(({ id }) => id);
}

/** Everything that a settled cluster would not have. */
export async function inconsistencies(cluster: RestlessCluster): Promise<readonly string[]> {
  const [claims, nodes] = await Promise.all([cluster.nodeClaims(), cluster.nodes()]);
  const apps = [...cluster.wanted].map(async ([app, wanted]) => ({
    app,
    wanted,
    pods: await cluster.pods(app),
  }));
  return inconsistenciesOf({
    claims,
    nodes,
    instances: aliveInstances(cluster.cloud),
    workloads: await Promise.all(apps),
  });
}
