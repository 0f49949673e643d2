import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type Clock, systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { parseFaults } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SimulatedAccount, startSimulatedAccount } from '../simulated-account/index.ts';
import { addFaultsCommand } from './faults.ts';

const settings = { namespace: 'kube-system', name: 'simulated-cloud' };

let server: ApiServer;
let client: KubeClient;
let directory: string;
let input = '';
let clock: Clock = systemClock;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-faults-'));
  server = await startApiServer();
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig);
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
});

beforeEach(() => client.delete(kinds.configMap, settings).catch(() => undefined));

afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Runs `karpenter faults` and answers with what it printed. */
async function faults(...args: readonly string[]): Promise<string> {
  let out = '';
  const program = new Command().exitOverride();
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: () => {},
  };
  addFaultsCommand(program, terminal, { clock, readStdin: async () => input });
  const kubeconfig = join(directory, 'kubeconfig');
  await program.parseAsync(['faults', '--kubeconfig', kubeconfig, ...args], { from: 'user' });
  return out;
}

async function fileWith(text: string): Promise<string> {
  const file = join(directory, 'faults.yaml');
  await writeFile(file, text);
  return file;
}

const requests = async () =>
  (await client.list(kinds.configMap, { labelSelector: 'simulated-cloud/request' })).items;

/** The simulated account of the cluster. */
function startAccount(caches: CacheSet): SimulatedAccount {
  return startSimulatedAccount({
    client,
    clock: systemClock,
    seed: 1,
    clusterName: 'dev',
    fleet: { start: () => undefined, terminate: () => undefined },
    apiServer: { url: server.url, caPem: server.caPem },
    bootDelay: durationMs(0),
    faults: {},
    configMaps: caches.of(kinds.configMap),
    nodes: caches.of(kinds.node),
    onFaults: () => undefined,
  });
}

describe('karpenter faults', () => {
  const ended = new AbortController();
  let account: SimulatedAccount;

  beforeAll(async () => {
    const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
    account = startAccount(caches);
    await caches.waitForSync(ended.signal);
  });

  afterAll(async () => {
    await account.stop();
    ended.abort();
  });

  it('says that faults are in force once they are', async () => {
    const file = await fileWith('latency: 7ms\n');
    expect(await faults('set', file)).toBe(`the faults of ${file} are in force\n`);
    expect(account.cloud.faults.current.latency).toBe(7);
    expect(await faults('clear')).toBe('the faults of the start are in force\n');
    expect(account.cloud.faults.current.latency).toBe(0);
    expect(await requests()).toEqual([]);
  });

  it('applies the faults of a file, shows them and clears them', async () => {
    const text = "capacity:\n- {types: '*', zones: '*', capacityTypes: spot, depth: 0}";
    const file = await fileWith(`${text}\n`);
    expect(await faults('set', file)).toBe(`the faults of ${file} are in force\n`);
    expect((await client.get(kinds.configMap, settings)).data).toEqual({ 'faults.yaml': `${text}\n` });
    expect(await faults('show')).toBe(`${text}\n`);
    expect(await faults('clear')).toBe('the faults of the start are in force\n');
    expect(await faults('show')).toBe('no faults were set\n');
    expect(await faults('clear')).toBe('no faults were set\n');
  });

  it('rejects an invalid file and changes nothing', async () => {
    const file = await fileWith('capacity: [{depth: -1}]');
    await expect(faults('set', file)).rejects.toThrow('capacity[0].depth: -1 is not a whole number');
    expect(await faults('show')).toBe('no faults were set\n');
  });

  it('names an unreadable file', async () => {
    await expect(faults('set', join(directory, 'missing'))).rejects.toThrow(
      /^cannot read .*missing: there is no such file or folder$/,
    );
  });

  it.each(['nospot', 'no-sopt'])('suggests a preset for %s, which is no file', async (name) => {
    await expect(faults('set', name)).rejects.toThrow(
      `cannot read ${name}: there is no such file or folder; did you mean the preset no-spot?`,
    );
  });

  it('refuses a file that is no text', async () => {
    const file = join(directory, 'binary');
    await writeFile(file, Buffer.from([0xff, 0xfe, 0x6c, 0x00]));
    await expect(faults('set', file)).rejects.toThrow(/binary is not text in UTF-8; save it as UTF-8 first$/);
  });

  it('reads the faults from standard input with -', async () => {
    input = 'latency: 5ms\n';
    expect(await faults('set', '-')).toBe('the faults of standard input are in force\n');
    expect(await faults('show')).toBe('latency: 5ms\n');
  });

  it.each([
    [['no-spot'], { capacity: [{ types: '*', zones: '*', capacityTypes: 'spot', depth: 0 }] }],
    [
      ['zone-down', 'us-west-2a'],
      { capacity: [{ types: '*', zones: 'us-west-2a', capacityTypes: '*', depth: 0 }] },
    ],
    [['slow-boots'], { boots: { delay: 300_000, jitter: 0, failing: 0, slow: 0, slowBy: 300_000 } }],
  ])('sets the preset %j', async (preset, expected) => {
    expect(await faults('set', ...preset)).toBe(`the faults of ${preset.join(' ')} are in force\n`);
    expect(parseFaults(await faults('show'))).toEqual(expected);
  });

  it.each([
    [['set', 'zone-down'], 'write: karpenter faults set zone-down ZONE'],
    [['set', 'zone-down', 'us-west-2q'], 'no AWS region has the zone "us-west-2q"'],
    [['set', 'no-spot', 'us-west-2a'], 'no-spot cannot be set with 1 arguments'],
    [['set', './no-spot'], 'cannot read ./no-spot: there is no such file or folder'],
    [['set', 'faults.yaml', 'more'], 'more cannot follow faults.yaml, which is a file'],
    [['do', 'explode', 'node-1'], '"explode" cannot be done to a simulated cloud'],
    [['do', 'interrupt'], 'write: karpenter faults do interrupt NODE'],
    [['do', 'drain-pool', 'm5.large'], 'write: karpenter faults do drain-pool TYPE ZONE CAPACITY-TYPE'],
    [['do', 'refill-pool', 'a', 'b', 'c', '1', '2'], 'refill-pool cannot be done with 5 arguments'],
  ])('refuses %j in one sentence and changes nothing', async (args, message) => {
    await expect(faults(...args)).rejects.toThrow(message);
    expect(await faults('show')).toBe('no faults were set\n');
    expect(await requests()).toEqual([]);
  });
});

describe('karpenter faults without a cluster', () => {
  it.each([[['show']], [['set', 'no-spot']], [['do', 'release-images']]])(
    'says on %j which address does not answer',
    async (args) => {
      const stopped = await startApiServer();
      await writeFile(join(directory, 'kubeconfig-of-stopped'), stopped.kubeconfig);
      await stopped.stop();
      const choice = ['--kubeconfig', join(directory, 'kubeconfig-of-stopped')];
      await expect(faults(...choice, ...args)).rejects.toMatchObject({
        code: 'api-unreachable',
        message: expect.stringMatching(
          new RegExp(
            `^cannot reach the cluster at ${stopped.url}: .*; check that it is running, or choose another`,
          ),
        ),
      });
    },
  );
});

describe('karpenter faults without a simulated cloud', () => {
  const virtual = new VirtualClock();

  beforeAll(() => {
    clock = virtual;
  });

  it.each([
    [['do', 'interrupt', 'node-1'], 'interrupt was not done: no simulated cloud answered'],
    [
      ['set', 'no-spot'],
      'the faults of no-spot are stored, but no simulated cloud answered for this cluster, so they change nothing',
    ],
  ])('fails on %j, and takes its request back', async (args, message) => {
    const failure = expect(faults(...args)).rejects.toMatchObject({
      code: 'no-simulated-cloud',
      message: expect.stringContaining(message),
    });
    await expect.poll(requests).toHaveLength(1);
    let isOver = false;
    void failure.then(() => {
      isOver = true;
    });
    const advanced = async () => {
      await virtual.advance(durationMs(1_000));
      return isOver;
    };
    await expect.poll(advanced, { timeout: 30_000 }).toBe(true);
    await failure;
    expect(await requests()).toEqual([]);
  });
});
