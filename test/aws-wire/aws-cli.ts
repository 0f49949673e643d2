import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addDevCommand } from '@karpenter/cli/embedded';
import { Command } from 'commander';

const run = promisify(execFile);

/** A development cluster whose account the AWS CLI reaches, with the environment that the cluster prints. */
export interface CliCluster {
  readonly kubeconfig: string;
  /** The output of a command as JSON, undefined if it has none; rejects with the error of the CLI. */
  aws(...args: readonly string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts `karpenter dev --aws-port`. */
export async function startCliCluster(): Promise<CliCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'karpenter-aws-cli-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const python = await run(process.execPath, [
    fileURLToPath(new URL('../../scripts/aws-cli.mjs', import.meta.url)),
    '--path',
  ]);
  const { printed, stop } = await startDev(kubeconfig);
  const url = variable(printed, 'AWS_ENDPOINT_URL');
  // Inherits no variable and no file of the user: the CLI must know only this account.
  const env = {
    PATH: process.env['PATH'],
    HOME: directory,
    AWS_REGION: variable(printed, 'AWS_REGION'),
    AWS_DEFAULT_REGION: variable(printed, 'AWS_DEFAULT_REGION'),
    AWS_ACCESS_KEY_ID: variable(printed, 'AWS_ACCESS_KEY_ID'),
    AWS_SECRET_ACCESS_KEY: variable(printed, 'AWS_SECRET_ACCESS_KEY'),
  };
  return {
    kubeconfig,
    async aws(...args) {
      const command = ['-m', 'awscli', '--endpoint-url', url, '--output', 'json', ...args];
      const { stdout } = await run(python.stdout.trim(), command, { env, maxBuffer: 100 * 1024 * 1024 });
      return stdout.trim() === '' ? undefined : JSON.parse(stdout);
    },
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startDev(kubeconfig: string) {
  let [printed, stop] = ['', () => {}];
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let running: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const out = (text: string) => {
      printed += text;
      resolve();
    };
    const program = new Command().exitOverride();
    addDevCommand(program, { out, err: out }, { stopRequest: () => stopped, pageDirectory: () => '' });
    const flags = ['--port', '0', '--no-ui', '--aws-port', '0', '--boot-delay', '0s', '--log-level', 'error'];
    running = program.parseAsync(['dev', '--kubeconfig', kubeconfig, ...flags], { from: 'user' });
    running.catch(reject);
  });
  return {
    printed,
    stop: async () => {
      stop();
      await running;
    },
  };
}

function variable(printed: string, name: string): string {
  const [, value] = new RegExp(`\\b${name}=(\\S+)`).exec(printed) ?? [];
  if (value === undefined) throw new Error(`dev prints no ${name}: ${printed}`);
  return value;
}
