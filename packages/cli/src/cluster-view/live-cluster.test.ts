import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, nodePools, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installDefinitions } from '../dev/embedded-cluster.ts';
import { type LiveCluster, liveCluster } from './live-cluster.ts';
import { priceWithoutAws } from './node-prices.ts';

const patience = { timeout: 40_000, interval: 50 };
let directory: string;
let server: ApiServer;
let client: KubeClient;
let ended = new AbortController();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-live-'));
  await startServer();
});

afterEach(() => {
  ended.abort();
  ended = new AbortController();
});

afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Starts the server again on its state and port, if it ran before. */
async function startServer(port?: number): Promise<void> {
  server = await startApiServer({ dataDir: join(directory, 'data'), ...(port !== undefined && { port }) });
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig);
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
}

function live(): Promise<LiveCluster> {
  return liveCluster({
    choice: { kubeconfig: join(directory, 'kubeconfig') },
    priceOf: priceWithoutAws,
    clock: systemClock,
    signal: ended.signal,
  });
}

const names = ({ view }: LiveCluster) => [...view.nodes.values()].map(({ name }) => name).sort();

describe('a live cluster', () => {
  it('follows nodes, and NodePools whose definition is installed while it watches', async () => {
    const cluster = await live();
    await expect.poll(() => cluster.isSynced(), patience).toBe(true);
    expect(cluster.problems()).toEqual([]);
    await client.create(kinds.node, { metadata: { name: 'a' } });
    await expect.poll(() => names(cluster), patience).toEqual(['a']);
    await installDefinitions(client);
    await client.create(nodePools, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'late' },
      spec: {
        disruption: { budgets: [{ nodes: '10%' }], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
            requirements: [],
            expireAfter: '720h',
          },
        },
      },
    });
    await expect.poll(() => [...cluster.view.pools.keys()], patience).toEqual(['late']);
    await cluster.close();
  });

  it('reports that the cluster is gone, keeps what it knows, and goes on when it is back', async () => {
    const cluster = await live();
    await expect.poll(() => names(cluster), patience).toEqual(['a']);
    const { port } = server;
    await client.close();
    await server.stop();
    await expect
      .poll(() => cluster.problems()[0] ?? '', patience)
      .toMatch(/^cannot reach the cluster at https:/);
    expect(names(cluster)).toEqual(['a']);
    await startServer(port);
    await client.create(kinds.node, { metadata: { name: 'b' } });
    await expect.poll(() => names(cluster), patience).toEqual(['a', 'b']);
    await expect.poll(() => cluster.problems(), patience).toEqual([]);
    await cluster.close();
  });

  it('reads events about nodes when asked to', async () => {
    const cluster = await live();
    cluster.watchEvents();
    cluster.watchEvents();
    await client.create(kinds.event, {
      metadata: { name: 'kept', namespace: 'default' },
      involvedObject: { kind: 'Node', name: 'a' },
      reason: 'DisruptionBlocked',
      message: 'Pod has do-not-disrupt',
      lastTimestamp: '2026-01-01T00:00:00Z',
    });
    await expect.poll(() => cluster.events.about({ nodeName: 'a' }), patience).toBe('Pod has do-not-disrupt');
    await cluster.close();
  });

  it('calls back once with each event of Karpenter, and with none of others', async () => {
    const seen: string[] = [];
    const cluster = await live();
    cluster.watchKarpenterEvents(({ metadata, message }) => seen.push(`${metadata.name}: ${message}`));
    const event = (name: string, component: string) => ({
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      reason: 'FailedScheduling',
      message: 'first',
      source: { component },
    });
    await client.create(kinds.event, event('of-the-scheduler', 'default-scheduler'));
    const { metadata } = await client.create(kinds.event, event('repeated', 'karpenter'));
    await expect.poll(() => seen, patience).toEqual(['repeated: first']);
    await client.replace(kinds.event, {
      ...event('repeated', 'karpenter'),
      metadata: metadata ?? {},
      count: 2,
    });
    await client.create(kinds.event, event('last', 'karpenter'));
    await expect.poll(() => seen, patience).toEqual(['repeated: first', 'last: first']);
    await cluster.close();
  });
});
