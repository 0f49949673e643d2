import { MetricRegistry } from '@karpenter/controllers';
import { podMetrics } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { cloudMetadata, startMetadataService } from '@karpenter/sim/metadata';
import {
  Agent,
  MetadataClient,
  readAgentSettings,
  readInstanceIdentity,
} from '@karpenter/termination-handler';
import { RecordedEvents } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { running } from '../../walkthroughs/pods.ts';
import { type CloudWorld, embeddedWorld } from '../../walkthroughs/world.ts';

let world: CloudWorld;
let registry: MetricRegistry;
let stopAgent: () => Promise<void>;
let evictions: string[];
let recorder: RecordedEvents;

beforeEach(async () => {
  registry = new MetricRegistry();
  evictions = [];
  recorder = new RecordedEvents();
  stopAgent = async () => undefined;
  world = await embeddedWorld({ registry });
}, 60_000);
afterEach(async () => {
  await stopAgent();
  await world.stop();
});

/** A spot node with pods of `web`, guarded by an agent that reads the metadata of its simulated instance. */
async function guardedNode(flags: readonly string[]) {
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('06-interruption/nodepool.yaml');
  await world.apply('06-interruption/web.yaml');
  await world.eventually(() => running(world, 'web')).toBe(6);
  const [node] = await world.nodes();
  const [name, id] = [node?.metadata?.name ?? '', node?.spec?.providerID?.split('/').at(-1) ?? ''];
  await startAgent(name, id, flags);
  const pods = (await world.pods('web')).filter(({ spec }) => spec?.nodeName === name);
  return { name, id, pods: pods.map(({ metadata }) => metadata?.name ?? '') };
}

/** Notices follow the virtual clock; the answers of the metadata service take real time, and so does their limit. */
async function startAgent(name: string, id: string, flags: readonly string[]): Promise<void> {
  const { client, cloud } = world;
  const service = await startMetadataService({
    clock: systemClock,
    instance: (each) => cloudMetadata(cloud, each),
  });
  const metadata = new MetadataClient({
    url: service.urlOf(id),
    tries: 3,
    clock: systemClock,
    random: () => 0,
  });
  const stopped = new AbortController();
  const log = { debug: () => undefined, info: () => undefined, error: () => undefined };
  const running = new Agent({
    client: {
      get: (...args) => client.get(...args),
      find: (...args) => client.find(...args),
      list: (...args) => client.list(...args),
      patch: (...args) => client.patch(...args),
      evict: (pod, options) => {
        evictions.push(pod.name);
        return client.evict(pod, options);
      },
    },
    metadata,
    identity: await readInstanceIdentity(metadata),
    clock: cloud.clock,
    log,
    meters: new MetricRegistry(),
    recorder,
    uptime: async () => 3_600_000,
    settings: readAgentSettings([`--node-name=${name}`, ...flags], {}).settings,
  }).run(stopped.signal);
  stopAgent = async () => {
    stopped.abort();
    await service.stop();
    await running;
  };
}

const reasons = () => recorder.published.map(({ definition }) => definition.reason);
const acceptedEvictions = () => {
  const line = [...registry.exposition()].find((text) =>
    text.startsWith(`${podMetrics.evictionRequests.name}{code="200"}`),
  );
  return Number(line?.trim().split(' ').at(-1) ?? 0);
};

it('an interrupted node of the controller is drained once, and by the controller', async () => {
  const { name, id, pods } = await guardedNode(['--taint-node']);
  expect(pods.length).toBeGreaterThan(0);
  expect(world.cloud.interrupt(id)).toBe(true);
  await world.eventually(async () => reasons().includes('LeftToKarpenter')).toBe(true);
  const node = await world.client.find(kinds.node, { name });
  expect(node?.spec?.unschedulable).toBeUndefined();
  expect(
    node?.spec?.taints?.filter(({ key }) => key.startsWith('aws-node-termination-handler')) ?? [],
  ).toEqual([]);
  await stopAgent();
  stopAgent = async () => undefined;
  await world
    .eventually(async () => (await world.client.find(kinds.node, { name })) === undefined)
    .toBe(true);
  expect(evictions).toEqual([]);
  expect(acceptedEvictions()).toBe(pods.length);
  await world.eventually(() => running(world, 'web')).toBe(6);
}, 120_000);

it('a rebalance recommendation for a node of the controller changes nothing on it', async () => {
  const flags = ['--enable-rebalance-draining', '--rebalance-cooldown=0', '--taint-node'];
  const { name, id } = await guardedNode(flags);
  const before = await world.client.get(kinds.node, { name });
  expect(world.cloud.rebalance(id)).toBe(true);
  await world.eventually(async () => reasons().includes('LeftToKarpenter')).toBe(true);
  const { spec } = await world.client.get(kinds.node, { name });
  expect(spec).toEqual(before.spec);
  expect(evictions).toEqual([]);
}, 120_000);

it('drains a node of the controller with --manage-karpenter-nodes', async () => {
  const { id, pods } = await guardedNode([
    '--enable-rebalance-draining',
    '--rebalance-cooldown=0',
    '--manage-karpenter-nodes',
  ]);
  expect(world.cloud.rebalance(id)).toBe(true);
  await world.eventually(async () => new Set(evictions).size).toBe(pods.length);
  expect(evictions.toSorted()).toEqual(pods.toSorted());
}, 120_000);
