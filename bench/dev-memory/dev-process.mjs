import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { root } from '../../scripts/prepare.mjs';

/** Starts what `npm start` runs, on free ports, with a client for its API server. */
export async function startDev() {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-dev-memory-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...args] = scripts.start.split(' ');
  const child = spawn(
    process.execPath,
    [...args, '--port', '0', '--ui-port', '0', '--kubeconfig', kubeconfig],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const errors = countErrors(child);
  const client = connect(await firstConfig(kubeconfig), { qps: 1e3, burst: 1e3 });
  return {
    client,
    pid: child.pid,
    errors,
    async stop() {
      await client.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

/** Lines of the log with level ERROR. Reading them also keeps the pipe from filling up. */
function countErrors({ stdout, stderr }) {
  const counted = { lines: 0 };
  for (const stream of [stdout, stderr])
    stream.on('data', (chunk) => {
      counted.lines += String(chunk).split('"level":"ERROR"').length - 1;
    });
  return () => counted.lines;
}

async function firstConfig(file) {
  for (let tries = 0; tries < 600; tries += 1) {
    try {
      return await loadConfig({ kubeconfig: file });
    } catch {
      await sleep(200);
    }
  }
  throw new Error('karpenter dev wrote no kubeconfig within two minutes');
}
