import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CodedError } from '@karpenter/core/errors';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyViewedCluster } from '../cluster-view/index.ts';
import { type PageServer, type ServedPageOptions, startPage } from './index.ts';

let directory: string;
let page: PageServer | undefined;
let clock: VirtualClock;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-page-'));
  await mkdir(join(directory, 'dist', 'assets'), { recursive: true });
  await writeFile(join(directory, 'dist', 'index.html'), `<!doctype html><p>${'the page '.repeat(99)}</p>`);
  await writeFile(join(directory, 'dist', 'assets', 'index-D3adB33f.js'), 'export {};');
  await writeFile(join(directory, 'secret'), 'secret');
  await symlink('../secret', join(directory, 'dist', 'link.txt'));
});
afterEach(async () => {
  await page?.stop();
  page = undefined;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function start(parts: Partial<ServedPageOptions> = {}): Promise<string> {
  clock = new VirtualClock();
  const cluster = {
    ...emptyViewedCluster(() => undefined),
    problems: () => [],
    isSynced: () => true,
    watchEvents: () => undefined,
  };
  page = await startPage({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    portFlag: '--port',
    directory: join(directory, 'dist'),
    clusterName: 'test',
    cluster,
    decisions: { list: () => [], subscribe: () => () => undefined },
    clock,
    ...parts,
  });
  return page.url;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Paths go out as they are: `fetch` would resolve the dots of a traversal itself. */
async function ask(url: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path: '/', agent: false, ...options });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end(body);
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const json = { 'content-type': 'application/json' };
const post = (path: string, headers: Readonly<Record<string, string>> = json): RequestOptions => ({
  method: 'POST',
  path,
  headers: { ...headers },
});

describe('the files of the page', () => {
  it('are served with types, a strict policy and lasting caches for hashed names', async () => {
    const url = await start();
    const index = await ask(url);
    expect(index).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    });
    expect(index.body).toContain('the page');
    expect(await ask(url, { path: '/assets/index-D3adB33f.js' })).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
  });

  it('are not sent again while they are the same, and compressed for those who take it', async () => {
    const url = await start();
    const { headers } = await ask(url);
    expect(await ask(url, { headers: { 'if-none-match': `"other", W/${headers.etag}` } })).toMatchObject({
      status: 304,
      body: '',
    });
    const gzipped = await ask(url, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gzipped.headers.etag).not.toBe(headers.etag);
    const refused = await ask(url, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it.each([
    '/../secret',
    '/assets/../../secret',
    '/%2e%2e/secret',
    '/..%2fsecret',
    '/assets/..\\..\\secret',
    '//secret',
    '/link.txt',
    '/index.html/',
    '/assets',
    '/assets/',
    '/constructor',
    '/__proto__',
  ])('are all that can be read: %s is not found', async (path) => {
    const { status, body } = await ask(await start(), { path });
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 404,
      body: { code: 'unknown-resource', message: 'there is nothing at this path; the page is at /' },
    });
  });

  it('are missed in one sentence with what to do', async () => {
    await expect(start({ directory: join(directory, 'nothing') })).rejects.toThrow(
      `cannot show the page: it is not built in ${join(directory, 'nothing')}; run npm run build -w packages/ui in the checkout`,
    );
  });
});

describe('the server of the page', () => {
  it('refuses foreign hosts, foreign origins and the absolute form of proxies, with a policy on each answer', async () => {
    const url = await start();
    for (const [options, status] of [
      [{ headers: { host: 'evil.example' } }, 421],
      [{ headers: { origin: 'http://evil.example' } }, 403],
      [{ headers: { 'sec-fetch-site': 'cross-site' } }, 403],
      [{ path: 'http://evil.example/' }, 400],
    ] as const) {
      const answer = await ask(url, options);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual({ code: 'request-refused', message: expect.any(String) });
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['POST', '/', 'GET, HEAD'],
    ['PUT', '/api/stream', 'GET, HEAD'],
    ['DELETE', '/api/decision', 'GET, HEAD'],
    ['OPTIONS', '/api/what-if', 'POST'],
    ['GET', '/api/what-if', 'POST'],
    ['HEAD', '/api/demo', 'POST'],
    ['PATCH', '/index.html', 'GET, HEAD'],
  ])('refuses %s of %s', async (method, path, allow) => {
    expect(await ask(await start(), { method, path })).toMatchObject({ status: 405, headers: { allow } });
  });

  it('takes JSON bodies of a limited size only', async () => {
    const url = await start({ whatIf: async () => ({ text: 'plan', priceBefore: 1, priceAfter: 2 }) });
    const large = JSON.stringify({ add: 'x'.repeat(2 ** 20) });
    const status = async (options: RequestOptions, body: string) => (await ask(url, options, body)).status;
    expect(await status(post('/api/what-if'), '{}')).toBe(200);
    expect(await status(post('/api/what-if'), large)).toBe(413);
    expect(await status(post('/api/what-if', { ...json, 'transfer-encoding': 'chunked' }), large)).toBe(413);
    expect(await status(post('/api/what-if', { 'content-type': 'text/plain' }), '{}')).toBe(415);
    expect(await status(post('/api/what-if', {}), '{}')).toBe(415);
    expect(await status(post('/api/what-if', { ...json, 'content-encoding': 'gzip' }), '{}')).toBe(415);
    expect(await status(post('/api/what-if'), '{')).toBe(400);
    expect(await status(post('/api/what-if'), '[]')).toBe(400);
    expect(await status(post('/api/what-if'), '{"add":1}')).toBe(400);
    expect(await status(post('/api/what-if'), '{"__proto__":{"a":1}}')).toBe(400);
    expect(await status(post('/api/what-if'), '{"constructor":1}')).toBe(400);
  });

  it('says in one sentence what it does not offer', async () => {
    const url = await start();
    const answers = await Promise.all([
      ask(url, { path: '/api/explain?kind=pod&name=web' }),
      ask(url, post('/api/what-if'), '{}'),
      ask(url, post('/api/demo'), '{"action":"interrupt","node":"a"}'),
    ]);
    for (const { status, body } of answers)
      expect({ status, body: JSON.parse(body) }).toMatchObject({
        status: 501,
        body: { code: 'not-offered' },
      });
  });

  it('explains the object that a query names', async () => {
    const url = await start({
      explain: async (subject) => ({ subject, summary: 's', sections: [], changes: [] }),
    });
    const subject = async (query: string) =>
      JSON.parse((await ask(url, { path: `/api/explain?${query}` })).body);
    expect(await subject('kind=pod&namespace=a%20b&name=web')).toMatchObject({
      subject: { kind: 'Pod', namespace: 'a b', name: 'web' },
    });
    expect(await subject('kind=NodeClaim&name=x&namespace=y')).toMatchObject({
      subject: { kind: 'NodeClaim', name: 'x' },
    });
    for (const query of ['', 'kind=pod', 'name=web', 'kind=constructor&name=x', 'kind=secret&name=x'])
      expect(await subject(query)).toMatchObject({ code: 'request-refused' });
  });

  it('answers failures with their sentence and never with a stack', async () => {
    const errors = [
      [new CodedError('invalid-setting', 'that is wrong'), 400, 'invalid-setting'],
      [new CodedError('api-unreachable', 'no cluster'), 502, 'api-unreachable'],
      [new TypeError('x is not a function'), 500, 'unexpected-failure'],
    ] as const;
    for (const [error, status, code] of errors) {
      const url = await start({ whatIf: () => Promise.reject(error) });
      const answer = await ask(url, post('/api/what-if'), '{}');
      expect({ status: answer.status, code: JSON.parse(answer.body).code }).toEqual({ status, code });
      expect(answer.body).not.toContain('    at ');
      await page?.stop();
    }
  });

  it('answers one question after the other, and gives up waiting after a minute', async () => {
    const finishes: (() => void)[] = [];
    const whatIf = () =>
      new Promise<{ text: string; priceBefore: number; priceAfter: number }>((resolve) => {
        finishes.push(() => resolve({ text: '', priceBefore: 0, priceAfter: 0 }));
      });
    const url = await start({ whatIf });
    const first = ask(url, post('/api/what-if'), '{}');
    await expect.poll(() => clock.sleeping).toBeGreaterThan(1);
    await clock.leap(60_000);
    expect(await first).toMatchObject({ status: 504 });
    // The first cannot be stopped, so the next waits for it.
    const next = ask(url, post('/api/what-if'), '{}');
    await expect.poll(() => clock.sleeping).toBeGreaterThan(1);
    expect(finishes).toHaveLength(1);
    finishes[0]?.();
    await expect.poll(() => finishes.length).toBe(2);
    finishes[1]?.();
    expect(await next).toMatchObject({ status: 200 });
  });

  it('checks demo actions before anything is done', async () => {
    const done: unknown[] = [];
    const demo = {
      facts: () => ({ zones: [], deployments: [] }),
      perform: async (action: unknown) => {
        done.push(action);
        return { message: 'done' };
      },
    };
    const url = await start({ demo });
    const status = async (action: unknown) =>
      (await ask(url, post('/api/demo'), JSON.stringify(action))).status;
    expect(await status({ action: 'scale', deployment: 'inflate', replicas: 3 })).toBe(200);
    for (const wrong of [
      null,
      [],
      {},
      { action: 'delete' },
      { action: 'toString' },
      { action: 'scale', deployment: 'inflate' },
      { action: 'scale', deployment: 'inflate', replicas: -1 },
      { action: 'scale', deployment: 'inflate', replicas: 1.5 },
      { action: 'scale', deployment: 'inflate', replicas: 1e9 },
      { action: 'scale', deployment: { name: 'inflate' }, replicas: 1 },
      { action: 'removeSpot' },
      { action: 'failBoots', isFailing: 'no' },
    ])
      expect([wrong, await status(wrong)]).toEqual([wrong, 400]);
    expect(done).toHaveLength(1);
  });

  it.each(['*', 'https://page.example.com', 'page.example.com/x', '*.example.com', 'a b', ''])(
    'refuses %j as an allowed host',
    async (name) => {
      await expect(start({ allowedHosts: [name] })).rejects.toThrow(
        `the allowed host ${JSON.stringify(name)} is not a host name; write it as page.example.com`,
      );
    },
  );

  it('answers under names that are allowed, and listens on loopback if its address is empty', async () => {
    const url = await start({
      host: '',
      allowedHosts: ['page.example.com', '10.0.0.1:443', '[fd00::1]:1', 'fd00::2'],
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    for (const host of ['page.example.com', '10.0.0.1:443', '[fd00::1]:1', '[fd00::2]'])
      expect((await ask(url, { headers: { host } })).status).toBe(200);
    expect((await ask(url, { headers: { host: '10.0.0.1' } })).status).toBe(421);
  });

  it('holds a limited number of streams', async () => {
    const url = await start();
    const ended = new AbortController();
    const open = () => fetch(`${url}/api/stream`, { signal: ended.signal });
    const streams = await Promise.all(Array.from({ length: 64 }, open));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await open();
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { code: 'page-busy', message: 'the page is open 64 times already; close some of them' },
    ]);
    expect((await ask(url, { path: '/api/stream', method: 'HEAD' })).status).toBe(200);
    ended.abort();
    const again = new AbortController();
    const reopened = async () => (await fetch(`${url}/api/stream`, { signal: again.signal })).status;
    await expect.poll(reopened).toBe(200);
    again.abort();
  });

  it('says which port is taken', async () => {
    const url = await start();
    const first = page;
    const port = Number(new URL(url).port);
    await expect(start({ port })).rejects.toThrow(
      `cannot listen on port ${port} of 127.0.0.1 for the page: another program uses it; choose another with --port`,
    );
    page = first;
  });

  it('survives clients that send nonsense or go away', async () => {
    const url = await start();
    const socket = createConnection({ port: Number(new URL(url).port), host: '127.0.0.1' });
    socket.on('error', () => undefined).resume();
    socket.end('\u0000nonsense\r\n\r\n');
    await once(socket, 'close');
    expect((await ask(url)).status).toBe(200);
  });
});
