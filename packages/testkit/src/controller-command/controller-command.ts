import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// This file runs from src/ and from dist/, which are equally deep in the repository.
const karpenter = fileURLToPath(new URL('../../../../bin/karpenter', import.meta.url));

export interface ControllerCommandOptions {
  readonly kubeconfig: string;
  /** Settings of the controllers by flag. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** One line of the log. */
interface ControllerLine {
  readonly level: string;
  readonly message: string;
  readonly [key: string]: unknown;
}

/** A running `karpenter controller --cloud simulated`. */
export interface ControllerCommand {
  readonly pid: number;
  /** Oldest first; grows while the process runs. */
  readonly log: readonly ControllerLine[];
  readonly probesUrl: string;
  readonly metricsUrl: string;
  /** Sends SIGTERM as a kubelet does; resolves with the exit code, or the signal that ended the process. */
  stop(): Promise<number | NodeJS.Signals>;
}

/**
 * Runs the controllers in a separate process, from the checkout. Resolves when the health probes answer.
 * Leader election is on, so that the controllers do not outlive their cluster if this process dies.
 */
export async function startControllerCommand(options: ControllerCommandOptions): Promise<ControllerCommand> {
  const child = spawn(process.execPath, [karpenter, ...argumentsOf(options)], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], KUBECONFIG: options.kubeconfig },
  });
  const { pid } = child;
  const ended = ending(child);
  const log: ControllerLine[] = [];
  const listening = portsIn(child, log);
  const ports = await Promise.race([listening, failure(child, ended)]);
  if (pid === undefined) throw new Error('the controllers have no process');
  return {
    pid,
    log,
    ...ports,
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function argumentsOf({ flags = {} }: ControllerCommandOptions): readonly string[] {
  const settings = { 'metrics-port': '0', 'health-probe-port': '0', ...flags };
  return [
    'controller',
    '--cloud=simulated',
    ...Object.entries(settings).map(([flag, value]) => `--${flag}=${value}`),
  ];
}

type Ports = Pick<ControllerCommand, 'probesUrl' | 'metricsUrl'>;

/** Collects every line; two of them contain the ports. */
function portsIn(child: ChildProcessWithoutNullStreams, log: ControllerLine[]): Promise<Ports> {
  let metricsUrl = '';
  return new Promise((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      const line: ControllerLine = JSON.parse(text);
      log.push(line);
      if (line.message === 'Serving metrics server') metricsUrl = urlOf(line['bindAddress']);
      if (line.message === 'starting server') resolve({ metricsUrl, probesUrl: urlOf(line['addr']) });
    });
  });
}

function urlOf(address: unknown): string {
  return `http://127.0.0.1:${String(address).split(':').at(-1)}`;
}

function ending(child: ChildProcessWithoutNullStreams): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
  });
}

async function failure(child: ChildProcessWithoutNullStreams, ended: Promise<unknown>): Promise<never> {
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  throw new Error(`karpenter controller ended before it listened (${await ended}): ${said.trim()}`);
}
