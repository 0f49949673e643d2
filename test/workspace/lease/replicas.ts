import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AwsServices } from '@karpenter/aws/ports';
import type { ElectionTimes } from '@karpenter/kube/runtime';
import { recordedAccount } from './recorded-account.ts';
import { recordedApi } from './recorded-api.ts';
import type { Records } from './records.ts';

export interface ReplicaOptions {
  readonly upstream: { readonly url: string; readonly ca: string };
  readonly token: string;
  readonly services: AwsServices;
  readonly region: string;
  readonly election: ElectionTimes;
  readonly records: Records;
  /** Uses a clock that does not notice stops, which makes the fence ineffective. */
  readonly missesStops: boolean;
}

export interface Replica {
  readonly name: string;
  /** Lines of its log. */
  readonly log: readonly string[];
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  signal(signal: NodeJS.Signals): void;
}

const script = fileURLToPath(new URL('./controller.mjs', import.meta.url));

/** A controller process with its own routes to the API server and to AWS. */
export async function startReplica(name: string, options: ReplicaOptions): Promise<Replica> {
  const { upstream, token, services, region, election, records, missesStops } = options;
  const api = await recordedApi({ upstream, writer: name, records });
  const account = await recordedAccount({ services, writer: name, records });
  const where = {
    // Nodes join the API server itself.
    api: { url: api.url, ca: api.ca, nodesTrust: upstream.ca, token },
    accountPort: account.port,
    region,
  };
  const child = fork(script, [JSON.stringify({ ...where, election, missesStops })], {
    // The Node options of the test runner do not apply here.
    execArgv: [],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log = linesOf(child);
  let hasEnded = false;
  const ended = once(child, 'exit').then(async () => {
    hasEnded = true;
    await Promise.all([api.close(), account.close()]);
  });
  return {
    name,
    log,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    signal: (signal) => void child.kill(signal),
  };
}

function linesOf({ stdout, stderr }: ChildProcess): readonly string[] {
  const lines: string[] = [];
  for (const stream of [stdout, stderr]) {
    if (stream !== null) createInterface(stream).on('line', (line) => lines.push(line));
  }
  return lines;
}
