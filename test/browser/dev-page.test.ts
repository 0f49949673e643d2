import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, kinds } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { afterAll, beforeAll } from 'vitest';
import { root } from '../workspace/architecture/workspace.ts';
import { pageJourney } from './page-journey.ts';

const bin = join(root, 'bin', 'karpenter');
const directory = mkdtempSync(join(tmpdir(), 'karpenter-browser-'));
const kubeconfig = join(directory, 'kubeconfig');
const pending = { namespace: 'default', name: 'too-large' };

let dev: ChildProcess;
let url = '';
let reason = '';

beforeAll(async () => {
  const flags = ['--port', '0', '--ui-port', '0', '--kubeconfig', kubeconfig, '--boot-delay', '2s'];
  dev = spawn(bin, ['dev', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  url = await pageUrl(dev);
  await createPendingPod();
  reason = explainedSummary();
});

afterAll(async () => {
  dev.kill('SIGTERM');
  await once(dev, 'exit');
  rmSync(directory, { recursive: true, force: true });
});

pageJourney('the page of karpenter dev', {
  url: () => url,
  pendingPod: () => ({ ...pending, reason }),
});

/** The first line that `npm start` prints has it. */
function pageUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the command has no output');
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout });
    lines.once('line', (line) => {
      const [, found] = /^The page is at (\S+)/.exec(line) ?? [];
      if (found === undefined) reject(new Error(`the first line is ${line}`));
      else resolve(`${found}/`);
    });
    dev.once('exit', (code) => reject(new Error(`karpenter dev ended with ${code}`)));
  });
}

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
  const text = execFileSync(bin, args, { encoding: 'utf8' });
  const { summary } = JSON.parse(text) as { readonly summary: string };
  return summary;
}
