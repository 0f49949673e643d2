import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { auditedRequests } from './audited-requests.ts';
import { chartPaths } from './charts.ts';
import { helmFor } from './helm.ts';

const karpenter = fileURLToPath(new URL('../../bin/karpenter', import.meta.url));
const account = 'karpenter';
const namespace = 'kube-system';

let plane: ControlPlane;
let page: ChildProcess | undefined;
beforeEach(async () => {
  plane = await startControlPlane({ auditedUser: `system:serviceaccount:${namespace}:${account}` });
}, 60_000);
afterEach(async () => {
  page?.kill();
  await plane.stop();
}, 60_000);

/** A kubeconfig with a token of the chart's service account. */
async function accountKubeconfig(): Promise<string> {
  const { stdout } = await plane.kubectl(['create', 'token', account, `--namespace=${namespace}`]);
  const certificate = Buffer.from(plane.caPem).toString('base64');
  const file = join(plane.directory, 'account-kubeconfig');
  const config = {
    clusters: [{ name: 'c', cluster: { server: plane.url, 'certificate-authority-data': certificate } }],
    users: [{ name: 'u', user: { token: stdout.trim() } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  };
  await writeFile(file, stringify(config));
  return file;
}

/** Serves the page of the cluster and returns its address. It reads what the page of the controllers reads. */
async function servePage(kubeconfig: string): Promise<string> {
  const child = spawn(process.execPath, [karpenter, 'ui', '--port=0', `--kubeconfig=${kubeconfig}`]);
  page = child;
  const [line] = await once(createInterface(child.stdout), 'line');
  return String(line).replace('The page is at ', '');
}

/** The stream up to the first rows. */
async function firstRows(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/stream`);
  let text = '';
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part).toString();
    if (/^event: rows$.*\n\n/ms.test(text)) return text;
  }
  return text;
}

describe('the web page', () => {
  it('reads nodes, pods, NodePools, NodeClaims and events with the roles of the chart alone', async () => {
    const helm = await helmFor(plane.kubeconfigPath);
    const values = '--set=settings.clusterName=dev,replicas=0,settings.uiPort=8090';
    await helm('install', 'karpenter', chartPaths.karpenter, `--namespace=${namespace}`, values);
    await helm.close();

    expect(await firstRows(await servePage(await accountKubeconfig()))).toContain('event: hello');
    const requests = await auditedRequests(plane.directory);
    expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
    expect(requests.map(({ what }) => what)).toEqual(
      expect.arrayContaining(
        ['nodes', 'pods', 'events', 'karpenter.sh/nodepools', 'karpenter.sh/nodeclaims'].map(
          (kind) => `list ${kind}`,
        ),
      ),
    );
  }, 180_000);
});
