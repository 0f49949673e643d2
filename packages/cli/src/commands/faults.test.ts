import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { parseFaults } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFaultsCommand } from './faults.ts';

const settings = { namespace: 'kube-system', name: 'simulated-cloud' };

let server: ApiServer;
let client: KubeClient;
let directory: string;
let input = '';
const clock = new VirtualClock();

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

describe('karpenter faults', () => {
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

  it('fails if no simulated cloud answers, and takes its request back', async () => {
    const request = faults('do', 'interrupt', 'node-1');
    const failure = expect(request).rejects.toMatchObject({
      code: 'no-simulated-cloud',
      message: expect.stringContaining('interrupt was not done: no simulated cloud answered'),
    });
    await expect.poll(requests).toHaveLength(1);
    let isOver = false;
    void failure.then(() => {
      isOver = true;
    });
    const advanced = async () => {
      await clock.advance(durationMs(1_000));
      return isOver;
    };
    await expect.poll(advanced, { timeout: 30_000 }).toBe(true);
    await failure;
    expect(await requests()).toEqual([]);
  });
});
