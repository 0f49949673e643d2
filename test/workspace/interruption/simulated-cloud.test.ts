import {
  customResources,
  InstanceStatusController,
  InterruptionController,
  InterruptionHandler,
  KubeCluster,
  RebalanceController,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import { minutes, type NodeClaim, nodeClaimKind, nodePoolKind } from '@karpenter/core/api';
import { CacheSet, type WatchCache } from '@karpenter/kube/cache';
import { connect, type KubeClient, kindOf, kinds, tokenCredentials } from '@karpenter/kube/client';
import { CoreEventRecorder, systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { createCloud, type SimulatedCloud } from '@karpenter/sim/cloud';
import { Account } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimOf } from './memory-cluster.ts';

// From the simulated cloud to an API server over HTTP, with the client and the caches of production.

const nodeClaims = kindOf(nodeClaimKind([]));
const nodePools = kindOf(nodePoolKind([]));
const silent = { debug: () => {}, info: () => {}, error: () => {} };
const counters = { increment: () => {}, observe: () => {} };
const { signal } = new AbortController();

let server: ApiServer;
let client: KubeClient;
let ended: AbortController;
let claims: WatchCache<NodeClaim>;
let caches: CacheSet;

beforeAll(async () => {
  server = await startApiServer();
  const credentials = tokenCredentials(server.token);
  client = connect({ server: server.url, ca: server.caPem, credentials }, { userAgent: 'test' });
  for (const { definition } of customResources) {
    await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  ended = new AbortController();
  caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  claims = caches.of(nodeClaims);
  await client.create(nodePools, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      disruption: { budgets: [], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
      template: { spec: { ...claimOf('a').spec, requirements: [] } },
    },
  });
});

afterAll(async () => {
  ended.abort();
  await client.close();
  await server.stop();
});

/** A new cloud each time, so that no two NodeClaims have the same instance. */
let seed = 0;
let clock: VirtualClock;
let cloud: SimulatedCloud;
let account: Account;
let queue: InterruptionController;
let statuses: InstanceStatusController;
let rebalances: RebalanceController;
let recorder: CoreEventRecorder;

beforeEach(async () => {
  clock = new VirtualClock();
  seed += 1;
  cloud = createCloud({ clock, seed, clusterName: 'prod' });
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const { services } = cloud;
  account = new Account(
    { services, clusterName: 'prod', region: 'us-west-2', version: '1.36', settle },
    'test',
  );
  recorder = new CoreEventRecorder({ client, clock });
  const shared = { client, claims, clock, counters, log: silent };
  const now = () => clock.now();
  const unavailable = new UnavailableOfferings({ now });
  const pools = caches.of(nodePools);
  const cluster = new KubeCluster({ ...shared, nodes: caches.of(kinds.node), recorder });
  await caches.waitForSync();
  rebalances = new RebalanceController({ ...shared, nodePools: pools, cluster, unavailable, perHour: 10 });
  const handler = new InterruptionHandler({
    cluster,
    unavailable,
    reservations: new ReservationCounts(now),
    log: silent,
    onRebalance: (each) => rebalances.notice(each),
  });
  queue = new InterruptionController({ ...shared, sqs: services.sqs, queueName: 'prod', handler });
  statuses = new InstanceStatusController({ ...shared, ec2: services.ec2, cluster, handler });
});

/** A running spot instance and its NodeClaim, once the cache has it. */
async function join(name: string): Promise<string> {
  const [id = ''] = await account.running({ market: 'spot' });
  const { status, metadata, ...claim } = claimOf(name);
  const { labels } = metadata;
  const finalizers = ['karpenter.sh/termination'];
  await client.create(nodeClaims, { ...claim, metadata: { name, labels, finalizers } });
  const body = { status: { ...status, providerID: `aws:///us-west-2a/${id}` } };
  await client.patch(nodeClaims, { name }, { type: 'merge', body }, { subresource: 'status' });
  await seen((each) => each.metadata.name === name && each.status?.providerID !== undefined);
  await queue.reconcile(signal);
  return id;
}

/** Resolves when the cached NodeClaim matches. */
function seen(test: (claim: NodeClaim) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const found = ({ object }: { readonly object: NodeClaim }) => {
      if (test(object)) resolve();
    };
    claims.subscribe(found);
  });
}

async function eventsOn(name: string): Promise<readonly string[]> {
  await recorder.flush();
  const { items } = await client.list(kinds.event);
  return items
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ reason = '' }) => reason)
    .sort();
}

const claimNamed = (name: string) => client.get(nodeClaims, { name });
const deadline = 'karpenter.sh/nodeclaim-termination-timestamp';

it('drains a node whose spot instance is interrupted', async () => {
  const id = await join('spot');
  cloud.interrupt(id);
  await queue.reconcile(signal);
  const { metadata } = await claimNamed('spot');
  expect(metadata.deletionTimestamp).toBeDefined();
  expect(metadata.annotations?.[deadline]).toBeUndefined();
  expect(await eventsOn('spot')).toEqual(['SpotInterrupted', 'TerminatingOnInterruption']);
});

it('deletes a node whose instance fails its status check', async () => {
  const id = await join('broken');
  cloud.impair(id, 'system');
  await clock.advance(minutes(2));
  await statuses.reconcile(signal);
  const { metadata } = await claimNamed('broken');
  expect(metadata.deletionTimestamp).toBeDefined();
  expect(metadata.annotations?.[deadline]).toMatch(/^2026-01-01T\d\d:\d\d:\d\dZ$/);
});

it('drains a node with scheduled maintenance once, although two sources report it', async () => {
  const id = await join('maintained');
  cloud.maintenance(id);
  await Promise.all([queue.reconcile(signal), statuses.reconcile(signal)]);
  expect((await claimNamed('maintained')).metadata.deletionTimestamp).toBeDefined();
  expect(await eventsOn('maintained')).toEqual(['InstanceUnhealthy', 'TerminatingOnInterruption']);
});

it('replaces a node after a rebalance recommendation with an object that the server accepts', async () => {
  const id = await join('risky');
  cloud.rebalance(id);
  await queue.reconcile(signal);
  await rebalances.reconcile();
  const { items } = await client.list(nodeClaims);
  const [replacement] = items.filter(
    ({ metadata }) => metadata.annotations?.['karpenter.k8s.aws/rebalance-of'] === 'risky',
  );
  expect(replacement?.spec).toEqual((await claimNamed('risky')).spec);
  expect((await claimNamed('risky')).metadata.deletionTimestamp).toBeUndefined();
  const { name = '' } = replacement?.metadata ?? {};
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const body = { status: { conditions: [ready] } };
  await client.patch(nodeClaims, { name }, { type: 'merge', body }, { subresource: 'status' });
  await seen((each) => each.metadata.name === name && each.status?.conditions !== undefined);
  await rebalances.reconcile();
  expect((await claimNamed('risky')).metadata.deletionTimestamp).toBeDefined();
});
