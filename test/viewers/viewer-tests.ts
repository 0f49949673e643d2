import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CountingServer, type ServerBehind, startCountingServer } from './counting-server.ts';
import { createViewedObjects, expectedHourly, viewedNodes } from './karpenter-objects.ts';

export interface ViewedServer extends ServerBehind {
  stop(): Promise<void>;
}

/** Registers the tests of `view` and `cost` on an API server on which nothing else runs. */
export function viewerTests(start: () => Promise<ViewedServer>): void {
  let server: ViewedServer;
  let counting: CountingServer;
  let client: KubeClient;
  let directory: string;

  beforeAll(async () => {
    server = await start();
    counting = await startCountingServer(server);
    const credentials = tokenCredentials(server.token);
    client = connect({ server: server.url, ca: server.caPem, credentials });
    directory = await mkdtemp(join(tmpdir(), 'karpenter-viewers-'));
  });

  afterAll(async () => {
    await client.close();
    await counting.close();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** A kubeconfig with one context, `main`. */
  async function kubeconfig(url: string, user: object = {}): Promise<string> {
    const path = join(directory, 'kubeconfig');
    await writeFile(
      path,
      JSON.stringify({
        'current-context': 'main',
        clusters: [{ name: 'main', cluster: { server: url } }],
        users: [{ name: 'main', user }],
        contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
      }),
    );
    return path;
  }

  async function run(args: readonly string[], path?: string) {
    const texts = { out: '', err: '' };
    const kubeconfigPath = path ?? (await kubeconfig(counting.url));
    const code = await main([...args, '--kubeconfig', kubeconfigPath], {
      out: (text) => {
        texts.out += text;
      },
      err: (text) => {
        texts.err += text;
      },
    });
    return { code, ...texts };
  }

  const json = async (...args: readonly string[]) => JSON.parse((await run([...args, '-o', 'json'])).out);

  it('show a cluster without nodes and without Karpenter, and say nothing about that', async () => {
    expect(await run(['view'])).toEqual({
      code: 0,
      out: '0 nodes  cpu 0/0 0.0%\n0 pods (0 pending 0 running 0 bound)\n\nNo nodes found.\n',
      err: '',
    });
    expect(await json('cost')).toMatchObject({
      hourly: 0,
      nodes: 0,
      consolidationSkipped: expect.any(String),
    });
    await createViewedObjects(client);
  });

  it('show every node once, also those without a provider ID and those that have not joined', async () => {
    const { nodes } = await json('view');
    const names = nodes.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual([...viewedNodes.map(({ metadata }) => metadata?.name), 'i-new'].sort());
    expect(nodes).toContainEqual(
      expect.objectContaining({
        name: 'i-new',
        nodeClaim: 'default-new',
        phase: 'registering',
        isReady: false,
      }),
    );
  });

  it('price nodes by label first, then by the catalogue, and Windows and unknown types not at all', async () => {
    const { nodes, totals } = await json('view');
    const prices = Object.fromEntries(
      nodes.map(({ name, price }: { name: string; price?: { hourly: number } }) => [name, price?.hourly]),
    );
    expect(prices).toEqual({
      'spot-1': 0.152026,
      'demand-1': 0.34,
      'managed-1': 0.096,
      'i-new': 0.17,
      'windows-1': undefined,
      'bare-1': undefined,
      'bare-2': undefined,
    });
    expect(totals.hourly).toBeCloseTo(expectedHourly, 9);
    expect(totals.unpricedNodes).toBe(3);
  });

  it('show v1 disruption taints as cordoned, and why a node is kept', async () => {
    const { nodes } = await json('view');
    expect(nodes).toContainEqual(
      expect.objectContaining({
        name: 'spot-1',
        isCordoned: true,
        keptReason: "Can't remove without creating 4 candidates",
      }),
    );
  });

  it('count only pods of the selected nodes', async () => {
    const { totals } = await json('view', '--node-selector', 'karpenter.sh/nodepool=default');
    expect(totals).toMatchObject({ nodes: 3, pods: { total: 4, running: 4, bound: 4 } });
  });

  it('print a row for each node as CSV, with single-dash flags', async () => {
    const { out } = await run(['view', '-resources=cpu,memory', '-o', 'csv', '-disable-pricing']);
    const [header, ...rows] = out.trimEnd().split('\r\n');
    expect(header).toContain('cpu-requested,cpu-allocatable,memory-requested,memory-allocatable');
    expect(header).not.toContain('hourly');
    expect(rows).toHaveLength(7);
  });

  it('add up costs to the cent by every grouping, with an independent sum of prices', async () => {
    const report = await json('cost', '--no-consolidation');
    const sum = (groups: readonly { readonly hourly: number }[]) =>
      groups.reduce((total, { hourly }) => total + hourly, 0);
    expect(report.hourly).toBeCloseTo(expectedHourly, 9);
    for (const grouping of ['nodepool', 'capacity-type', 'zone', 'instance-type'])
      expect(sum(report.by[grouping])).toBeCloseTo(expectedHourly, 9);
    for (const grouping of ['namespace', 'workload'])
      expect(sum([...report.by[grouping], report.daemons, report.waste])).toBeCloseTo(expectedHourly, 9);
    expect(report.by.workload.map(({ name }: { name: string }) => name).sort()).toEqual([
      'default/Deployment/web',
      'shop/StatefulSet/db',
    ]);
  });

  it('print figures that add up as printed', async () => {
    const { out } = await run(['cost', '--by', 'namespace', '--by', 'nodepool', '--no-consolidation']);
    for (const table of out.split('\n\n').filter((text) => /^(NAMESPACE|NODEPOOL)/.test(text))) {
      const cents = table
        .split('\n')
        .filter((line) => /\d\.\d{4} /.test(line))
        .map((line) =>
          Math.round(Number(/\d+\.\d{4} +([\d,]+\.\d{2})/.exec(line)?.[1]?.replace(',', '')) * 100),
        );
      expect(cents.slice(0, -1).reduce((total, each) => total + each, 0)).toBe(cents.at(-1));
      expect(cents.at(-1)).toBe(Math.round(expectedHourly * 730 * 100));
    }
  });

  it('find what consolidation could still save: the empty node goes', async () => {
    const { consolidation } = await json('cost');
    expect(consolidation).toEqual({ hourly: 0.34, deleted: 1, replaced: 0, candidates: 1 });
  });

  it('write nothing', async () => {
    const before = counting.reads();
    await run(['view', '--columns', 'name,usage,kept']);
    await run(['cost']);
    expect(counting.reads()).toBeGreaterThan(before);
    expect(counting.writes()).toBe(0);
  });

  it('name the permission that is missing', async () => {
    const namespace = 'default';
    await client
      .create(kinds.serviceAccount, { metadata: { name: 'viewer', namespace } })
      .catch(() => undefined);
    const { status } = (await client.request(
      'POST',
      `/api/v1/namespaces/${namespace}/serviceaccounts/viewer/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
    )) as { status: { token: string } };
    const path = await kubeconfig(counting.url, { token: status.token });
    for (const command of ['view', 'cost'])
      expect(await run([command], path)).toEqual({
        code: 1,
        out: '',
        err: 'karpenter: cannot list nodes: the user of this context may not; bind it to a ClusterRole with the verbs list and watch on nodes\n',
      });
  });
}
