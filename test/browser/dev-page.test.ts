import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { afterAll, beforeAll } from 'vitest';
import { DevProcess, karpenter } from '../clients/dev-process.ts';
import { pageJourney } from './page-journey.ts';

const directory = mkdtempSync(join(tmpdir(), 'karpenter-browser-'));
const kubeconfig = join(directory, 'kubeconfig');
const pending = { namespace: 'default', name: 'too-large' };

let dev: DevProcess;
let url = '';
let reason = '';

beforeAll(async () => {
  dev = new DevProcess(['--ui-port', '0', '--kubeconfig', kubeconfig, '--boot-delay', '2s']);
  const [, address] = /^The page is at (\S+)/.exec(await dev.line('The page is at')) ?? [];
  url = `${address}/`;
  await createPendingPod();
  reason = explainedSummary();
});

afterAll(async () => {
  await dev.stop();
  rmSync(directory, { recursive: true, force: true });
});

pageJourney('the page of karpenter dev', {
  url: () => url,
  pendingPod: () => ({ ...pending, reason }),
});

/** No instance type has so many CPUs. */
async function createPendingPod(): Promise<void> {
  const client = connect(await loadConfig({ env: { KUBECONFIG: kubeconfig } }));
  const requests = { cpu: '2000' };
  await client.create(kinds.pod, {
    metadata: pending,
    spec: { containers: [{ name: 'main', image: 'pause', resources: { requests } }] },
  });
  await client.close();
}

/** As `karpenter explain` prints it. */
function explainedSummary(): string {
  const args = ['explain', 'pod', pending.name, '--kubeconfig', kubeconfig, '-o', 'json'];
  const text = execFileSync(karpenter, args, { encoding: 'utf8' });
  const { summary } = JSON.parse(text) as { readonly summary: string };
  return summary;
}
