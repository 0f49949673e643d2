import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, type KubeClient, kinds, nodeClaims } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { AccountFile } from '@karpenter/sim/cloud';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

// Kills `karpenter dev`, running as a separate process, during a scale-out and starts it again.

let dataDir: string;
let command: Command | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karpenter-killed-'));
});

afterEach(async () => {
  await command?.kill();
  command = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const replicas = 20;
const pollOptions = { timeout: 120_000, interval: 200 };
const inflate = { namespace: 'default', name: 'inflate' };

class Command {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  #waiting: { readonly text: string; readonly resolve: () => void } | undefined;

  constructor() {
    const flags = ['--data-dir', dataDir, '--port', '0', '--boot-delay', '2s'];
    const bin = join(root, 'bin', 'karpenter');
    this.#process = spawn(bin, ['dev', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#exited = once(this.#process, 'exit');
    if (this.#process.stdout === null) throw new Error('the command has no output');
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#read(line));
  }

  /** Resolves at the next line that contains the text. */
  line(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { text, resolve };
    });
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  #read(line: string): void {
    this.lines.push(line);
    if (this.#waiting !== undefined && line.includes(this.#waiting.text)) this.#waiting.resolve();
  }
}

async function start(): Promise<{ started: Command; client: KubeClient }> {
  const started = new Command();
  command = started;
  await started.line('Metrics are at');
  return { started, client: connect(await loadConfig({ kubeconfig: join(dataDir, 'kubeconfig') })) };
}

const pods = async (client: KubeClient) => (await client.list(kinds.pod, { namespace: 'default' })).items;
const runningPods = async (client: KubeClient) =>
  (await pods(client)).filter(({ status }) => status?.phase === 'Running').length;

const claimIds = async (client: KubeClient) =>
  (await client.list(nodeClaims)).items.map(({ status }) => status?.providerID?.split('/').at(-1));

/** The instance ids in the account file, which the next start would read. */
async function instanceIds(): Promise<readonly string[]> {
  const { saved } = await AccountFile.read({ directory: dataDir, clusterName: 'dev' });
  const instances = saved?.cloud.world.instances ?? [];
  return instances.filter(({ changing }) => changing.state !== 'terminated').map(({ facts }) => facts.id);
}

/** Log lines above INFO, which a kill must not cause. */
const serious = ({ lines }: Command) => lines.filter((line) => /"level":"(?!INFO|DEBUG)/.test(line));

describe('karpenter dev, killed in the middle of a scale-out', () => {
  it.each(['created nodeclaim', 'launched nodeclaim', 'registered nodeclaim', 'initialized nodeclaim'])(
    'at the first "%s", continues with the same instances, without an error or a second launch',
    async (message) => {
      const first = await start();
      const reached = first.started.line(`"message":"${message}"`);
      await first.client.patch(kinds.deployment, inflate, { type: 'merge', body: { spec: { replicas } } });
      await reached;
      await first.started.kill();
      await first.client.close();
      const known = await instanceIds();
      const { started, client } = await start();
      await expect.poll(() => runningPods(client), pollOptions).toBe(replicas);
      const claims = await claimIds(client);
      expect([...(await instanceIds())].sort()).toEqual([...claims].sort());
      expect(claims).toEqual(expect.arrayContaining([...known]));
      const restarts = (await pods(client)).map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
      expect(new Set(restarts)).toEqual(new Set([0]));
      expect(serious(started)).toEqual([]);
      await client.close();
    },
    300_000,
  );
});
