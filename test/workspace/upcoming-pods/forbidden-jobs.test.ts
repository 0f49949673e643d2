import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runControllerProcess, settingsWith, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectingLog, controllerFlags, type LogLine } from '../../walkthroughs/world.ts';

const account = { namespace: 'default', name: 'limited' };
const everything = ['*'];
const groups = [
  '',
  'apps',
  'policy',
  'storage.k8s.io',
  'coordination.k8s.io',
  'events.k8s.io',
  'karpenter.sh',
  'karpenter.k8s.aws',
];
const withoutJobs = [
  { apiGroups: groups, resources: everything, verbs: everything },
  { nonResourceURLs: everything, verbs: ['get'] },
];
const jobsRule = { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch'] };
const forbidden = 'watching a kind is forbidden, planning without its upcoming pods';
const allowed = 'watching a kind that was forbidden, planning with its upcoming pods';

let directory: string;
let stop: () => Promise<void>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-forbidden-'));
});

afterEach(async () => {
  await stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Creates a service account with these rules and returns a token of it. */
async function limitedToken(client: KubeClient, rules: readonly object[]): Promise<string> {
  const metadata = { name: account.name };
  await client.create(kinds.serviceAccount, { metadata: account });
  await client.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata, rules });
  await client.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
  const path = '/api/v1/namespaces/default/serviceaccounts/limited/token';
  const { status } = (await client.request('POST', path, { spec: { expirationSeconds: 86_400 } })) as {
    readonly status: { readonly token: string };
  };
  return status.token;
}

async function startLimited(rules: readonly object[]) {
  const clock = new VirtualClock(Date.now());
  const cluster = await startEmbeddedCluster({ kubeconfig: join(directory, 'kubeconfig'), clock });
  const client = connect(cluster.config);
  const credentials = tokenCredentials(await limitedToken(client, rules));
  const log: LogLine[] = [];
  const ended = new AbortController();
  let healthPort = 0;
  const running = runControllerProcess({
    config: { ...cluster.config, credentials },
    settings: settingsWith(controllerFlags),
    account: cluster.account,
    clock,
    log: collectingLog(log, () => clock.now()),
    signal: ended.signal,
    host: '127.0.0.1',
    onListening: (endpoints) => {
      healthPort = endpoints.healthPort;
    },
  });
  stop = async () => {
    ended.abort();
    await clock.advanceUntil(running, durationMs(1_000));
    await client.close();
    await cluster.stop();
  };
  const eventually = (probe: () => Promise<unknown> | unknown, expected: unknown) =>
    vi.waitFor(
      async () => {
        await clock.advance(durationMs(1_000));
        expect(await probe()).toEqual(expected);
      },
      { timeout: 50_000, interval: 1 },
    );
  const readiness = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status;
  return { client, clock, log, eventually, readiness };
}

describe('controllers whose role does not allow to list Jobs', () => {
  it('become ready, log the missing rule once, and watch Jobs when the role allows it', async () => {
    const { client, clock, log, eventually, readiness } = await startLimited(withoutJobs);
    const linesOf = (text: string) => log.filter(({ message }) => message === text);
    await eventually(readiness, 200);
    for (let minute = 0; minute < 5; minute += 1) await clock.advance(durationMs(60_000));
    expect(linesOf(forbidden)).toMatchObject([{ level: 'ERROR', kind: 'Job', 'missing-rule': jobsRule }]);
    expect(log.filter(({ message }) => message === 'watch failed')).toEqual([]);
    await client.request('PUT', '/apis/rbac.authorization.k8s.io/v1/clusterroles/limited', {
      metadata: { name: account.name },
      rules: [...withoutJobs, jobsRule],
    });
    await eventually(() => linesOf(allowed).length, 1);
  });
});
