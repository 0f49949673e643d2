import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installDefinitions } from '../dev/embedded-cluster.ts';
import { addUiCommand } from './ui.ts';

let directory: string;
let server: ApiServer;
let client: KubeClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-ui-'));
  await mkdir(join(directory, 'page'));
  await writeFile(join(directory, 'page', 'index.html'), '<!doctype html>');
  server = await startApiServer();
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig);
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
  await installDefinitions(client);
  await client.create(kinds.node, { metadata: { name: 'a' } });
});
afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Runs `karpenter ui` until `use` is done with the page; returns what it printed. */
async function ui(
  flags: readonly string[],
  use: (url: string) => Promise<void> = async () => undefined,
  page = join(directory, 'page'),
) {
  const printed = { out: '', err: '' };
  let announce: (url: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const terminal = {
    out: (text: string) => {
      printed.out += text;
      announce(/^The page is at (\S+)\n/.exec(printed.out)?.[1] ?? '');
    },
    err: (text: string) => {
      printed.err += text;
    },
  };
  const program = new Command().exitOverride();
  addUiCommand(program, terminal, {
    clock: systemClock,
    stopRequest: () => announced.then(use),
    pageDirectory: () => page,
  });
  await program.parseAsync(['ui', '--kubeconfig', join(directory, 'kubeconfig'), '--port', '0', ...flags], {
    from: 'user',
  });
  return printed;
}

/** The stream until a text appears in it. */
async function streamUntil(url: string, expected: string): Promise<string> {
  const ended = new AbortController();
  const { body } = await fetch(`${url}/api/stream`, { signal: ended.signal });
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes(expected)) break;
  }
  ended.abort();
  return text;
}

const revision = async () => (await client.list(kinds.node)).resourceVersion;

describe('karpenter ui', () => {
  it('prints its address, shows any cluster, answers what-if questions, and writes nothing', async () => {
    const before = await revision();
    const { out, err } = await ui([], async (url) => {
      expect((await fetch(url)).status).toBe(200);
      expect(await streamUntil(url, '"isSynced":true')).toContain('"name":"a"');
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/what-if`, {
        method: 'POST',
        headers,
        body: '{"removeNodes":["a"]}',
      });
      expect(await answer.json()).toHaveProperty('text');
      const demo = await fetch(`${url}/api/demo`, {
        method: 'POST',
        headers,
        body: '{"action":"scale","deployment":"x","replicas":1}',
      });
      expect(demo.status).toBe(501);
    });
    expect(out).toMatch(/^The page is at http:\/\/127\.0\.0\.1:\d+\nCtrl-C stops it\.\n$/);
    expect(err).toBe('');
    expect(await revision()).toBe(before);
  });

  it('says why there are no decisions', async () => {
    await ui([], async (url) => {
      expect(await streamUntil(url, '"unavailable"')).toContain('there are no decisions yet');
    });
    await ui(['--decisions-url', 'http://127.0.0.1:9'], async (url) => {
      expect(await streamUntil(url, 'cannot read decisions')).toContain(
        'cannot read decisions from http://127.0.0.1:9: ',
      );
    });
  });

  it('notes that an address beyond this machine has no login, and still refuses foreign host names', async () => {
    const { err } = await ui(['--host', '0.0.0.0'], async (url) => {
      expect((await fetch(url)).status).toBe(200);
    });
    expect(err).toContain('the page has no login: whoever reaches 0.0.0.0 can read');
  });

  it.each([
    [['--port', 'x'], '--port "x" is not a number from 0 to 65535'],
    [['--decisions-url', 'file:///etc/passwd'], '--decisions-url "file:///etc/passwd" is not an address'],
    [['--context', 'nobody'], 'nobody'],
  ])('refuses %j with one sentence', async (flags, message) => {
    await expect(ui(flags)).rejects.toMatchObject({
      name: 'CodedError',
      message: expect.stringContaining(message),
    });
  });

  it('says how to build a page that is not built', async () => {
    await expect(ui([], undefined, '/nowhere')).rejects.toThrow(
      'cannot show the page: it is not built in /nowhere; run npm run build -w packages/ui in the checkout',
    );
  });
});
