import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Helm {
  /** Returns standard output; throws with standard error if Helm fails. */
  (...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

const script = fileURLToPath(new URL('../../scripts/helm.mjs', import.meta.url));

/** Path of the Helm that `npm run helm` built. */
export async function helmBinary(): Promise<string> {
  return (await output(process.execPath, [script, '--path'], process.env)).trim();
}

/** The Helm that `npm run helm` built, with a home directory of its own. */
export async function helmFor(kubeconfigPath: string): Promise<Helm> {
  const binary = await helmBinary();
  const home = await mkdtemp(join(tmpdir(), 'helm-'));
  const environment = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfigPath };
  return Object.assign((...args: readonly string[]) => output(binary, args, environment), {
    close: () => rm(home, { recursive: true, force: true }),
  });
}

async function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? -1));
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
