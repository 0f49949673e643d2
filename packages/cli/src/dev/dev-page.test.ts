import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoAction, PageNode, PagePod, StreamEvents, WhatIfAnswer } from '@karpenter/core/page-api';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { systemClock } from '@karpenter/kube/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultConfig } from '../simulated-account/index.ts';
import { type DevCluster, startDevCluster } from './dev-cluster.ts';
import { devSettings } from './dev-settings.ts';

const patience = { timeout: 50_000, interval: 50 };
let directory: string;
let cluster: DevCluster;
let client: KubeClient;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-dev-page-'));
  await mkdir(join(directory, 'page'));
  await writeFile(join(directory, 'page', 'index.html'), '<!doctype html>');
  const kubeconfig = join(directory, 'kubeconfig');
  cluster = await startDevCluster(
    {
      port: 0,
      dataDir: undefined,
      repair: false,
      kubeconfig,
      clusterName: 'dev',
      seed: 1,
      bootDelay: durationMs(0),
      isEmpty: false,
      faultsFile: undefined,
      logFormat: 'json',
      ...devSettings(['--log-level=error'], {}),
      page: { port: 0, orAnyPort: false, directory: join(directory, 'page') },
    },
    { out: () => undefined, err: () => undefined },
  );
  client = connect(await loadConfig({ kubeconfig }));
  url = cluster.page !== undefined && 'url' in cluster.page ? cluster.page.url : '';
});
afterAll(async () => {
  await client.close();
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
});

/** What the page knows after the events so far, and their texts. */
class Follower {
  readonly nodes = new Map<string, PageNode>();
  readonly pods = new Map<string, PagePod>();
  readonly decisions: string[] = [];
  hello: StreamEvents['hello'] | undefined;
  text = '';
  readonly #ended = new AbortController();

  static async start(): Promise<Follower> {
    const follower = new Follower();
    const response = await fetch(`${url}/api/stream`, { signal: follower.#ended.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    void follower.#read(response).catch(() => undefined);
    return follower;
  }

  stop(): void {
    this.#ended.abort();
  }

  async #read({ body }: Response): Promise<void> {
    let unread = '';
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      unread += Buffer.from(chunk).toString('utf8');
      const blocks = unread.split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) this.#apply(block);
    }
  }

  #apply(block: string): void {
    this.text += block;
    const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null');
    const name = /^event: (.*)$/m.exec(block)?.[1];
    if (name === 'hello') this.hello = data;
    if (name === 'decisions')
      this.decisions.push(...data.decisions.map(({ kind }: { kind: string }) => kind));
    if (name !== 'rows') return;
    const { nodes, pods } = data as StreamEvents['rows'];
    for (const row of nodes.changed) this.nodes.set(row.id, row);
    for (const id of nodes.removed) this.nodes.delete(id);
    for (const row of pods.changed) this.pods.set(row.uid, row);
    for (const uid of pods.removed) this.pods.delete(uid);
  }
}

async function act(action: DemoAction): Promise<{ status: number; body: Record<string, string> }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/demo`, { method: 'POST', headers, body: JSON.stringify(action) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const faults = async () => (await client.find(kinds.configMap, faultConfig))?.data?.[faultConfig.key] ?? '';

describe('the page of a development cluster', () => {
  it('shows nodes and pods as the demo scales a Deployment, with prices and decisions', async () => {
    const follower = await Follower.start();
    await expect
      .poll(() => follower.hello?.demo?.deployments, patience)
      .toEqual([{ name: 'inflate', replicas: 0 }]);
    expect(follower.hello).toMatchObject({
      cluster: 'dev',
      demo: { zones: ['us-west-2a', 'us-west-2b', 'us-west-2c'] },
    });
    expect(await act({ action: 'scale', deployment: 'inflate', replicas: 3 })).toEqual({
      status: 200,
      body: { message: 'Deployment inflate has 3 replicas now' },
    });
    const inflated = () => [...follower.pods.values()].filter(({ name }) => name.startsWith('inflate'));
    const running = () => inflated().filter(({ phase }) => phase === 'running').length;
    await expect.poll(running, patience).toBeGreaterThanOrEqual(3);
    const spot = [...follower.nodes.values()].find(({ capacityType }) => capacityType === 'spot');
    expect(spot).toMatchObject({ phase: 'ready', nodePool: 'default', price: { source: 'offering' } });
    expect(follower.hello?.demo?.deployments).toEqual([{ name: 'inflate', replicas: 3 }]);
    await expect.poll(() => follower.decisions, patience).toContain('launch');
    follower.stop();
  });

  it('sends hostile labels, annotations and events as JSON text only', async () => {
    const markup = '<img src=x onerror=alert(1)>\n\nevent: hello\ndata: {"cluster":"evil"}\n\n';
    const follower = await Follower.start();
    await client.create(kinds.pod, {
      metadata: { name: 'hostile', namespace: 'default', annotations: { 'x.example/a': markup } },
      spec: {
        containers: [{ name: 'a', image: 'x' }],
        nodeSelector: { 'x.example/none': 'none' },
      },
    });
    const [node] = (await client.list(kinds.node)).items;
    await client.create(kinds.event, {
      metadata: { name: 'hostile', namespace: 'default' },
      involvedObject: { kind: 'Node', name: node?.metadata?.name ?? '' },
      reason: 'Unconsolidatable',
      message: markup,
      source: { component: 'karpenter' },
    });
    await expect.poll(() => follower.text, patience).toContain('onerror');
    expect(follower.text).toContain('<img src=x onerror=alert(1)>\\n\\nevent: hello\\ndata:');
    expect(follower.hello?.cluster).toBe('dev');
    await client.delete(kinds.pod, { name: 'hostile', namespace: 'default' });
    follower.stop();
  });

  it('removes and restores spot capacity and fails boots as karpenter faults does', async () => {
    await Promise.all([
      act({ action: 'removeSpot', zone: 'us-west-2a' }),
      act({ action: 'removeSpot', zone: 'us-west-2b' }),
      act({ action: 'failBoots', isFailing: true }),
      act({ action: 'removeSpot', zone: 'us-west-2a' }),
    ]);
    const { parseFaults } = await import('@karpenter/sim/cloud');
    const parsed = parseFaults(await faults());
    expect(parsed.capacity?.map(({ zones, capacityTypes, depth }) => [zones, capacityTypes, depth])).toEqual([
      ['us-west-2a', 'spot', 0],
      ['us-west-2b', 'spot', 0],
    ]);
    expect(parsed.boots).toMatchObject({ failing: 1, delay: 0, jitter: 0 });
    expect((await act({ action: 'restoreSpot', zone: 'us-west-2a' })).body['message']).toBe(
      'spot instances start in us-west-2a again',
    );
    await act({ action: 'restoreSpot', zone: 'us-west-2b' });
    await act({ action: 'failBoots', isFailing: false });
    expect(parseFaults(await faults())).toMatchObject({ capacity: [], boots: { failing: 0 } });
  });

  it('interrupts the instance of a spot node, and says why it cannot interrupt another', async () => {
    const { items } = await client.list(kinds.node);
    const isSpot = (node: (typeof items)[number]) =>
      node.metadata?.labels?.['karpenter.sh/capacity-type'] === 'spot';
    const name = items.find(isSpot)?.metadata?.name ?? '';
    expect((await act({ action: 'interrupt', node: name })).body['message']).toMatch(
      /^EC2 takes i-\w+, the instance of ip-\S+, back in two minutes$/,
    );
    const system = items.find((node) => !isSpot(node))?.metadata?.name ?? '';
    expect(await act({ action: 'interrupt', node: system })).toMatchObject({
      status: 400,
      body: { code: 'invalid-setting', message: expect.stringContaining(`cannot interrupt ${system}`) },
    });
  });

  it.each<[DemoAction, string]>([
    [
      { action: 'interrupt', node: 'nobody' },
      'cannot interrupt nobody: there is no such node; choose another node',
    ],
    [
      { action: 'scale', deployment: '../secrets/x', replicas: 1 },
      'cannot scale ../secrets/x: the namespace default has no such Deployment; create it first',
    ],
    [
      { action: 'removeSpot', zone: '*' },
      'the simulated account has no zone "*"; choose one of us-west-2a, us-west-2b, us-west-2c',
    ],
  ])('refuses %j in one sentence', async (action, message) => {
    expect(await act(action)).toMatchObject({ status: 400, body: { message } });
  });

  it('answers what would become of the cluster, with its price before and after', async () => {
    const ask = async (body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/what-if`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as WhatIfAnswer };
    };
    const add = `{apiVersion: v1, kind: Pod, metadata: {name: big}, spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 60}}}]}}`;
    const { status, body } = await ask({ add });
    expect(status).toBe(200);
    expect(body.text).toContain('Price an hour');
    expect(body.priceAfter).toBeGreaterThan(body.priceBefore);
    expect(await ask({ removeNodes: ['nobody'] })).toMatchObject({ status: 400 });
    expect(await ask({ add: 'a: [' })).toMatchObject({ status: 400, body: { code: 'malformed-file' } });
    const huge = add
      .replace('v1, kind: Pod', 'apps/v1, kind: Deployment')
      .replace('spec: {', 'spec: {replicas: 2000000000, template: {spec: {');
    expect(await ask({ add: `${huge}}}` })).toMatchObject({ status: 400, body: { code: 'invalid-object' } });
    expect(await client.find(kinds.pod, { name: 'big', namespace: 'default' })).toBeUndefined();
  });

  it('has times of the clock of the server', async () => {
    const follower = await Follower.start();
    await expect.poll(() => follower.hello?.now ?? 0, patience).toBeGreaterThan(systemClock.now() - 60_000);
    follower.stop();
  });
});
