import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import type { Explanation } from '@karpenter/core/explanation';
import {
  connect,
  type JsonPatchOperation,
  type KubeClient,
  kinds,
  nodePools,
  tokenCredentials,
} from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ViewedServer } from '../live-commands/command-cluster.ts';
import { type CountingServer, startCountingServer } from '../viewers/counting-server.ts';
import { createRunningCluster } from '../what-if/running-cluster.ts';
import { createKwokObjects } from './kwok-objects.ts';

/** Registers the tests of `explain` on an API server on which nothing else runs. */
export function explainTests(start: () => Promise<ViewedServer>): void {
  let server: ViewedServer;
  let counting: CountingServer;
  let client: KubeClient;
  let directory: string;

  beforeAll(async () => {
    server = await start();
    counting = await startCountingServer(server);
    client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
    directory = await mkdtemp(join(tmpdir(), 'karpenter-explain-'));
    await createRunningCluster(client);
  });

  afterAll(async () => {
    await client.close();
    await counting.close();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function kubeconfig(url = counting.url, user: object = {}): Promise<string> {
    const path = join(directory, 'kubeconfig');
    const content = {
      'current-context': 'main',
      clusters: [{ name: 'main', cluster: { server: url } }],
      users: [{ name: 'main', user }],
      contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
    };
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  async function run(args: readonly string[], config?: string) {
    const texts = { out: '', err: '' };
    const code = await main(['explain', ...args, '--kubeconfig', config ?? (await kubeconfig())], {
      out: (text) => {
        texts.out += text;
      },
      err: (text) => {
        texts.err += text;
      },
    });
    return { code, ...texts };
  }

  async function explained(...args: readonly string[]): Promise<Explanation> {
    const { code, out, err } = await run([...args, '-o', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  }

  /** A pod that kube-scheduler has found no node for. */
  async function createPending(name: string, spec: Partial<NonNullable<Pod['spec']>>): Promise<void> {
    const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }];
    await client.create(kinds.pod, {
      metadata: { name, namespace: 'default' },
      spec: { containers, ...spec },
    });
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    const key = { name, namespace: 'default' };
    const body = { status: { phase: 'Pending', conditions } };
    await client.patch(kinds.pod, key, { type: 'merge', body }, { subresource: 'status' });
  }

  it('proposes a change of a NodePool that the API server accepts and that helps', async () => {
    const operations: readonly JsonPatchOperation[] = [
      {
        op: 'add',
        path: '/spec/template/spec/taints',
        value: [{ key: 'team', value: 'a', effect: 'NoSchedule' }],
      },
      { op: 'add', path: '/spec/limits', value: { nodes: '3' } },
    ];
    await client.patch(nodePools, { name: 'default' }, { type: 'json', operations });
    const tolerations = [{ key: 'team', operator: 'Exists' }];
    await createPending('big', {
      tolerations,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '12' } } }],
    });
    const [change] = (await explained('pod', 'big')).changes;
    expect(change?.text).toBe('raise limits.nodes of NodePool default from 3 to 4');
    await client.patch(nodePools, { name: 'default' }, { type: 'json', operations: change?.patch ?? [] });
    expect((await explained('pod/big')).summary).toMatch(
      /^The next plan launches a node of NodePool default/,
    );
  });

  it('proposes a change of a pod that helps when the pod is created with it', async () => {
    const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '12' } } }];
    await createPending('intruder', { containers });
    const [change] = (await explained('pod', 'intruder', '-n', 'default')).changes;
    expect(change?.text).toBe('let the pod tolerate team=a:NoSchedule');
    const [toleration] = (change?.patch ?? []).map(({ value }) => value);
    await createPending('welcome', {
      containers,
      tolerations: [toleration].flat() as NonNullable<NonNullable<Pod['spec']>['tolerations']>,
    });
    expect((await explained('pod', 'welcome')).changes).toEqual([]);
  });

  it('says why a pod is on its node and that it blocks it', async () => {
    const { summary } = await explained('pod', 'default/web-4');
    expect(summary).toBe('Pod default/web-4 is on node node-b and keeps it from being disrupted.');
  });

  it('says why nodes and NodeClaims are kept', async () => {
    expect((await explained('node', 'node-b')).summary).toBe(
      'Node node-b is kept: Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web-4).',
    );
    const { subject, summary } = await explained('nodeclaim', 'claim-node-c');
    expect({ subject, summary }).toEqual({
      subject: { kind: 'NodeClaim', name: 'claim-node-c' },
      summary: 'NodeClaim claim-node-c: it is empty and can be deleted.',
    });
  });

  it('says what a NodePool can launch and what its budgets allow, on one screen', async () => {
    const { code, out } = await run(['nodepool', 'default']);
    const lines = out.trimEnd().split('\n');
    expect({ code, isOneScreen: lines.length <= 24 && lines.every((line) => line.length <= 80) }).toEqual({
      code: 0,
      isOneScreen: true,
    });
    expect(out).toMatch(/^NodePool default is ready and can launch \d+ instance types from \$/);
    expect(out).toContain('allow 1 of 3 nodes at a time for');
    expect(out).not.toContain('\u001b');
  });

  it('explains objects that Karpenter wrote for another provider', async () => {
    await createKwokObjects(client);
    const { summary, sections } = await explained('node', 'kwok-node');
    expect(summary).toBe('Node kwok-node: it is empty and can be deleted.');
    expect(sections.map(({ title }) => title)).toEqual(['Consolidation', 'Lifecycle', 'Facts']);
    expect((await explained('nodepool', 'kwok')).summary).toMatch(/^NodePool kwok is ready/);
    expect((await explained('nodeclaim', 'kwok-claim')).subject.name).toBe('kwok-claim');
  });

  it('prints YAML with the same content as JSON', async () => {
    const { out } = await run(['node', 'node-b', '-o', 'yaml']);
    expect(out).toMatch(/^subject:\n {2}kind: Node\n {2}name: node-b\nsummary: /);
  });

  it.each([
    [['pod', 'web-44'], 'there is no pod "web-44" in namespace default; did you mean web-4?'],
    [
      ['pod', 'web-4', '-n', 'defualt'],
      'there is no pod "web-4" in namespace defualt, but one in default; use -n default',
    ],
    [['pod', 'x', '-n', 'defualt'], 'there are no pods in namespace defualt; did you mean -n default?'],
    [['node', 'node-d'], 'there is no Node "node-d"; did you mean node-a?'],
    [['nodepool', 'zzzzzzzzzz'], 'there is no NodePool "zzzzzzzzzz"; there are default, kwok'],
    [['nodepol', 'default'], 'karpenter explain does not know the kind "nodepol"; did you mean nodepool?'],
  ])('refuses %j in one sentence', async (args, problem) => {
    expect(await run(args)).toEqual({ code: 1, out: '', err: `karpenter: ${problem}\n` });
  });

  it('says in one sentence that the cluster cannot be reached', async () => {
    const { code, err } = await run(['node', 'node-a'], await kubeconfig('http://127.0.0.1:1'));
    expect({ code, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toMatch(/^karpenter: cannot reach the cluster at http:\/\/127\.0\.0\.1:1: /);
  });

  it('names the permission that is missing', async () => {
    const metadata = { name: 'nobody', namespace: 'default' };
    await client.create(kinds.serviceAccount, { metadata });
    const { status } = (await client.request(
      'POST',
      '/api/v1/namespaces/default/serviceaccounts/nobody/token',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [] },
      },
    )) as { status: { token: string } };
    const { code, err } = await run(
      ['node', 'node-a'],
      await kubeconfig(counting.url, { token: status.token }),
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: 'karpenter: cannot list nodes: the user of this context may not; bind it to a ClusterRole with the verb list on nodes\n',
    });
  });

  it('has written nothing', () => {
    expect(counting.reads()).toBeGreaterThan(0);
    expect(counting.writes()).toBe(0);
  });
}
