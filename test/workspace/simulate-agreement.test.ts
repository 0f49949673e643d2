import { setMaxListeners } from 'node:events';
import { customResources } from '@karpenter/aws';
import { awsVocabulary, planSettings, simulationsOf } from '@karpenter/cli';
import {
  Cluster,
  ClusterPlanning,
  capacityBuffers,
  nodeClaims,
  nodeOverlays,
  nodePools,
  planOptions,
} from '@karpenter/controllers';
import type { InstanceType } from '@karpenter/core/ports';
import { savedClusterText } from '@karpenter/core/saved-cluster';
import { isVirtualPod, type Plan, type PodView, plan, type Snapshot } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { CacheSet } from '@karpenter/kube/cache';
import {
  ApiError,
  connect,
  isNotFound,
  type Kind,
  type KubeClient,
  type KubeObject,
  keyOf,
  kinds,
  tokenCredentials,
} from '@karpenter/kube/client';
import { startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '@karpenter/testkit/clock';
import { randomCluster, type StoredObject, storedCluster } from '@karpenter/testkit/random-clusters';
import { batches, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';

const perServer = 10;

const stored: readonly Kind[] = [
  kinds.namespace,
  kinds.node,
  kinds.pod,
  kinds.daemonSet,
  kinds.podTemplate,
  kinds.podDisruptionBudget,
  kinds.storageClass,
  nodePools,
  nodeClaims,
  nodeOverlays,
  capacityBuffers,
] as readonly Kind[];

function kindNamed(name: string): Kind {
  const found = stored.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}

async function write(client: KubeClient, { object, isDeleted }: StoredObject): Promise<void> {
  const kind = kindNamed(object.kind);
  const key = keyOf(object);
  // The generator also makes objects that only the planner accepts; a cluster cannot have them.
  const isStored = await client.create(kind, object).then(() => true, refused);
  if (!isStored) return;
  const { status } = object;
  if (status !== undefined) {
    await client.patch(kind, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  }
  if (isDeleted === true) await client.delete(kind, key);
}

function refused(error: unknown): boolean {
  if (error instanceof ApiError && error.status === 422) return false;
  throw error;
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function removeAll(client: KubeClient): Promise<void> {
  for (const kind of stored.filter((each) => each !== kinds.namespace)) {
    for (const object of (await client.list(kind)).items) {
      const key = keyOf(object);
      if ((object.metadata?.finalizers ?? []).length > 0)
        await client.patch(kind, key, { type: 'merge', body: { metadata: { finalizers: [] } } });
      await client.delete(kind, key, { gracePeriodSeconds: 0 }).catch(ignoreNotFound);
    }
  }
}

/** Plans as the provisioner does. */
async function planOfControllers(
  client: KubeClient,
  clock: VirtualClock,
  types: readonly InstanceType[],
): Promise<Planned & { readonly saved: string }> {
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const settings = planSettings({});
  const vocabulary = awsVocabulary;
  const caches = new CacheSet({ client, clock, signal: ended.signal });
  const cluster = new Cluster({ caches, clock });
  const nodeClass = { group: 'example.com', version: 'v1', kind: 'MachineClass', plural: 'machineclasses' };
  const cloud = { nodeClasses: [nodeClass], instanceTypes: async () => types };
  const planning = new ClusterPlanning({ caches, cluster, cloud, settings, vocabulary, defaultSpread: [] });
  planning.start();
  try {
    await cluster.follow(ended.signal);
    await caches.waitForSync(ended.signal);
    const refreshed = await planning.refresh();
    countCoverage(refreshed.snapshot);
    const saved = savedClusterText(planning.capture(refreshed, { reservedCapacity: 'strict' }));
    const { snapshot } = planning.input(refreshed.snapshot);
    return { snapshot, plan: plan(snapshot, planOptions({ settings, vocabulary, clock }, 'strict')), saved };
  } finally {
    ended.abort();
  }
}

/** Plans the output of `kubectl get … -A -o json` with `karpenter simulate -f -`. */
async function planOfSimulate(
  client: KubeClient,
  clock: VirtualClock,
  types: readonly InstanceType[],
): Promise<Planned> {
  const items: KubeObject[] = [];
  for (const kind of stored) {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    for (const object of (await client.list(kind)).items)
      items.push({ ...object, apiVersion, kind: kind.kind });
  }
  return simulated(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), clock.now(), types);
}

/** The plan of `karpenter simulate` for one file. */
async function simulated(text: string, now: number, types: readonly InstanceType[]): Promise<Planned> {
  const [prepare] = simulationsOf([{ name: '-', text }], {
    plan,
    clock: { now: () => now, monotonic: () => 0 },
    instanceTypes: () => types,
    note: () => undefined,
  });
  if (prepare === undefined) throw new Error('the file holds no cluster');
  const { snapshot, options } = await prepare();
  return { snapshot, plan: plan(snapshot, options) };
}

/** In how many clusters there is something that only live clusters have, as the controllers see it. */
const coverage = { clusters: 0, overlays: 0, buffers: 0, terminatingNodes: 0, movingPods: 0, heldPods: 0 };

function countCoverage({ nodeOverlays, nodeStates, movingPods, heldPods }: ClusterSnapshot): void {
  coverage.clusters += 1;
  coverage.overlays += Number(nodeOverlays.length > 0);
  coverage.terminatingNodes += Number(nodeStates.some(({ markedForDeletion }) => markedForDeletion));
  coverage.movingPods += Number(movingPods.length > 0);
  coverage.heldPods += Number(heldPods.length > 0);
}

interface Planned {
  readonly snapshot: Snapshot;
  readonly plan: Plan;
}

/** The input and the plan, without the revision, which counts what the process has seen. */
function decisions({ snapshot, plan: { revision: _, ...rest } }: Planned) {
  const uids = (pods: readonly PodView[]) => pods.map(({ metadata }) => metadata.uid);
  return {
    nodes: snapshot.nodes,
    pods: uids(snapshot.pods),
    boundPods: uids(snapshot.boundPods),
    plan: rest,
  };
}

describe('karpenter simulate, a file that the controllers saved and the controllers', () => {
  const randomSeeds = seeds({ quick: 20, full: 40 });

  it.each(batches(randomSeeds, perServer))(
    'make the same plan for random clusters $first to $last',
    async (batch) => {
      const clock = new VirtualClock();
      const server = await startApiServer({ clock });
      const client = connect(
        { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) },
        { qps: 10_000, burst: 10_000 },
      );
      try {
        for (const { definition } of customResources)
          await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
        await client.request('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
        await client.create(kinds.storageClass, {
          metadata: { name: 'gp3' },
          provisioner: 'ebs.csi.aws.com',
        });
        for (const seed of batch.seeds) {
          const cluster = randomCluster(seed);
          const [types = []] = cluster.snapshot.instanceTypes.values();
          for (const object of storedCluster(cluster, seed)) await write(client, object);
          const planned = await planOfControllers(client, clock, types);
          const fromLists = await planOfSimulate(client, clock, types);
          expect({ seed, ...decisions(fromLists) }).toEqual({ seed, ...decisions(planned) });
          // The file of the controllers alone must be enough: neither the time nor the instance types are given.
          const fromFile = await simulated(planned.saved, 0, []);
          expect({ seed, ...decisions(fromFile) }).toEqual({ seed, ...decisions(planned) });
          coverage.buffers += Number(planned.snapshot.pods.some(isVirtualPod));
          await removeAll(client);
        }
      } finally {
        await client.close();
        await server.stop();
      }
    },
  );

  it('are compared on enough clusters with overlays, buffers, terminating nodes and moving pods', () => {
    const { clusters, ...counts } = coverage;
    const shares = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, count / clusters]),
    );
    expect(clusters).toBe(randomSeeds.length);
    expect(shares['overlays']).toBeGreaterThan(0.5);
    expect(shares['buffers']).toBeGreaterThan(0.25);
    expect(shares['terminatingNodes']).toBeGreaterThan(0.25);
    expect(shares['movingPods']).toBeGreaterThan(0.1);
    expect(shares['heldPods']).toBeGreaterThan(0.1);
  });
});
