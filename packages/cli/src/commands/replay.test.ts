import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../main.ts';

const id = '0mk3v9f2a-000-7h2c';
let directory: string;
let server: Server;
let address: string;

const planning = {
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  ignoreDraRequests: true,
  featureGates: {},
  reservedCapacity: 'strict',
  defaultSpread: [],
  nodeClasses: [],
  hasStorage: true,
};
const cluster = {
  apiVersion: 'saved.karpenter.sh/v1',
  kind: 'SavedCluster',
  at: 0,
  planning,
  instanceTypes: { lists: [], nodePools: {} },
  facts: [],
  objects: [],
};
const empty = { placements: [], newNodes: [], rejections: [], deferred: [] };
const decision = { id, at: 0, kind: 'plan', summary: '1 pod: 1 without a place', isReplayable: true };

function saved(plan: object = empty, more: object = {}): string {
  return JSON.stringify({ ...cluster, decision, replay: { kind: 'plan', first: [], plan }, ...more });
}

const another = saved({ ...empty, rejections: [{ pod: 'u', message: 'no room' }] });

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

async function run(...args: readonly string[]) {
  const ran = { out: '', err: '' };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
  };
  return { code: await main(['replay', ...args], terminal), ...ran };
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'karpenter-replay-'));
  server = createServer((request, response) => {
    const isKnown = request.url === `/decisions/${id}/cluster`;
    response.writeHead(isKnown ? 200 : 404, isKnown ? { 'Content-Encoding': 'gzip' } : {});
    const message = 'there is no decision "x"';
    response.end(isKnown ? gzipSync(saved()) : JSON.stringify({ code: 'unknown-decision', message }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('karpenter replay', () => {
  it('says that a file gives the same plan', async () => {
    const { code, out, err } = await run(file('same.json', saved()));
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `${id}  1970-01-01T00:00:00.000Z  1 pod: 1 without a place\nsame plan\n`,
      err: '',
    });
  });

  it('reads compressed files', async () => {
    expect(await run(file('same.json.gz', gzipSync(saved())))).toMatchObject({ code: 0, err: '' });
  });

  it('shows the differences and exits 2', async () => {
    const { code, out } = await run(file('other.json', another));
    expect(code).toBe(2);
    expect(out.split('\n').slice(1)).toEqual([
      'another plan, 1 difference:',
      'WHAT   RECORDED           REPLAYED',
      'pod u  no place: no room  nothing',
      '',
    ]);
  });

  it('prints JSON', async () => {
    const { code, out } = await run(file('other.json', another), '-o', 'json');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      decision,
      subject: 'plan',
      isSame: false,
      differences: [{ what: 'pod u', recorded: 'no place: no room', replayed: 'nothing' }],
    });
  });

  it('asks a controller for a decision', async () => {
    for (const from of [address, `http://${address}`, `http://${address}/`, `http://${address}/metrics`])
      expect(await run(id, '--from', from)).toMatchObject({ code: 0, err: '' });
  });

  const damaged = [
    ['a cut-off file', () => file('cut.json.gz', gzipSync(saved()).subarray(0, 100)), 'not valid gzip'],
    ['a missing file', () => join(directory, 'none'), 'there is no such file'],
    ['a cluster without a decision', () => file('c.json', JSON.stringify(cluster)), 'without a decision'],
    ['a manifest', () => file('p.yaml', 'kind: Pod'), 'it is no saved decision'],
    ['a damaged plan', () => file('d.json', saved({})), 'replay.plan: it is damaged'],
    [
      'a method that does not exist',
      () => {
        const command = { reason: 'r', consolidationType: '', savings: 0, nodes: [], replacements: [] };
        const replay = { kind: 'disruption', method: 'magic', queued: [], waiting: [] };
        return file(
          'm.json',
          saved({}, { replay: { ...replay, command: { ...command, destinations: [] } } }),
        );
      },
      'there is no method "magic"',
    ],
  ] as const;

  it.each(damaged)('refuses %s in one sentence that names it', async (_, path, problem) => {
    const { code, out, err } = await run(path());
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^karpenter: [^\n]+\n$/);
    expect(err).toContain(problem);
    expect(err).toContain(directory);
  });

  it.each([
    [[id], `where is decision ${id} kept? Name`],
    [[id, '--from', 'ftp://x'], '--from "ftp://x" is not an address'],
    [[id, '--from', 'http://['], '--from "http://[" is not an address'],
    [[id, '--from', '127.0.0.1:1'], 'no answer from http://127.0.0.1:1'],
    [[id, '--from', 'x', '--data-dir', 'y'], '--from and --data-dir name two places'],
    [['0mk3v9f2a-000-none', '--from', 'HERE'], 'there is no decision "x"'],
    [['../secret', '--from', 'HERE'], '"../secret" is not the id of a decision'],
    [[id, '--data-dir', '/nowhere'], `/nowhere does not hold the cluster of decision ${id}`],
  ])('refuses %j in one sentence', async (args, message) => {
    const { code, err } = await run(...args.map((arg) => (arg === 'HERE' ? address : arg)));
    expect(code).toBe(1);
    expect(err).toMatch(/^karpenter: [^\n]+\n$/);
    expect(err).toContain(message);
  });
});
