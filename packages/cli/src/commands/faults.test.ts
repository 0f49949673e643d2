import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addFaultsCommand } from './faults.ts';

const settings = { namespace: 'kube-system', name: 'simulated-cloud' };

let server: ApiServer;
let client: KubeClient;
let directory: string;

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
  addFaultsCommand(program, terminal);
  const kubeconfig = join(directory, 'kubeconfig');
  await program.parseAsync(['faults', '--kubeconfig', kubeconfig, ...args], { from: 'user' });
  return out;
}

async function fileWith(text: string): Promise<string> {
  const file = join(directory, 'faults.yaml');
  await writeFile(file, text);
  return file;
}

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

  it('annotates a node with an act, and again when the act is repeated', async () => {
    await client.create(kinds.node, { metadata: { name: 'node-1' } });
    expect(await faults('do', 'interrupt', 'node-1')).toBe(
      'interrupt of node-1 was asked for; the log of the cluster says whether it was done\n',
    );
    const { metadata } = await client.get(kinds.node, { name: 'node-1' });
    expect(metadata?.annotations?.['simulated-cloud/act']).toMatch(/^interrupt@\d{4}-\d\d-\d\dT/);
  });

  it('lists the known acts when the given one is unknown', async () => {
    await expect(faults('do', 'explode', 'node-1')).rejects.toThrow(
      '"explode" is nothing that can be done to a machine; it is one of interrupt, rebalance, maintenance, impair, terminate',
    );
  });

  it('names a missing node', async () => {
    await expect(faults('do', 'terminate', 'nobody')).rejects.toThrow('nodes "nobody" not found');
  });
});
