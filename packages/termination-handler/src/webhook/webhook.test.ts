import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@karpenter/testkit/clock';
import { startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Notification } from '../agent/index.ts';
import { readAgentSettings } from '../settings/index.ts';
import { prepareWebhook } from './index.ts';

const notification: Notification = {
  event: {
    id: 'instance-event-1',
    monitor: 'SCHEDULED_EVENT_MONITOR',
    description: 'system-reboot soon',
    state: 'active',
    code: 'system-reboot',
    startTime: Date.UTC(2026, 0, 2),
  },
  identity: {
    accountId: '1',
    instanceId: 'i-1',
    instanceType: 'm5.large',
    instanceLifeCycle: 'spot',
    availabilityZone: 'us-west-2a',
    region: 'us-west-2',
    localHostname: '',
    localIp: '10.0.0.7',
    publicHostname: '',
    publicIp: '',
  },
  node: { metadata: { name: 'node-a', labels: { team: 'shop' } } },
  pods: ['web', 'db'],
};

let clock: VirtualClock;
let server: TestHttpServer;
let posts: { readonly url: string; readonly body: string; readonly type: unknown; readonly method: string }[];
let status: number;
let isSilent: boolean;

beforeEach(async () => {
  clock = new VirtualClock();
  posts = [];
  status = 200;
  isSilent = false;
  server = await startHttpServer(
    async (exchange) => {
      const { method, url, headers } = exchange;
      posts.push({ method, url: url.href, type: headers['content-type'], body: await exchange.body() });
      if (isSilent) return;
      exchange.start(status);
      exchange.end();
    },
    { protocol: 'http' },
  );
});
afterEach(() => server.close());

const webhook = async (flags: readonly string[] = [], url = `${server.url}/hook/secret`) => {
  const all = ['--node-name=node-a', `--webhook-url=${url}`, ...flags];
  return (await prepareWebhook(readAgentSettings(all, {}).settings, clock)) ?? (() => Promise.resolve());
};

it('posts a text for Slack by default', async () => {
  await (await webhook())(notification);
  expect(posts).toMatchObject([{ method: 'POST', type: 'application/json' }]);
  expect(posts[0]?.url).toMatch(/\/hook\/secret$/);
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual({
    text: '[NTH][Instance Interruption] EventID: instance-event-1 - Kind: SCHEDULED_EVENT - Instance: i-1 - Node: node-a - Description: system-reboot soon - Start Time: 2026-01-02 00:00:00 +0000 UTC',
  });
});

it('posts what a template and headers of the settings say', async () => {
  const template = '{{ .NodeLabels.team }} {{ join "," .Pods }} {{ .State }} {{ .LocalIP }} {{ .Region }}';
  await (
    await webhook([`--webhook-template=${template}`, '--webhook-headers={"Content-Type":"text/plain"}'])
  )(notification);
  expect(posts).toMatchObject([{ body: 'shop web,db active 10.0.0.7 us-west-2', type: 'text/plain' }]);
});

it('prefers the template of a file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'template-'));
  const file = join(directory, 'template');
  await writeFile(file, '{{ .Kind }}');
  await (await webhook([`--webhook-template-file=${file}`]))(notification);
  await rm(directory, { recursive: true });
  expect(posts[0]?.body).toBe('SCHEDULED_EVENT');
});

it('sends the whole address to a proxy', async () => {
  await (await webhook([`--webhook-proxy=${server.url}`], 'http://hooks.example/a'))(notification);
  expect(posts).toHaveLength(1);
  expect(posts[0]?.url).toBe('http://hooks.example/a');
});

it('goes through a tunnel of the proxy to an encrypted address, and reports a proxy that refuses', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '', headers }, socket) => {
    asked.push(`${url} ${headers['proxy-authorization']}`);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const notify = await webhook(
    [`--webhook-proxy=http://user:pass@127.0.0.1:${port}`],
    'https://hooks.example/a',
  );
  await expect(notify(notification)).rejects.toThrow(
    'cannot notify https://hooks.example: the proxy answered with status 407',
  );
  expect(asked).toEqual(['hooks.example:443 Basic dXNlcjpwYXNz']);
  await new Promise((resolve) => proxy.close(resolve));
});

it('refuses a template that cannot be rendered before anything happens', async () => {
  await expect(webhook(['--webhook-template={{ .Nod }}'])).rejects.toMatchObject({
    code: 'invalid-template',
  });
  await expect(webhook(['--webhook-template={{ env "HOME" }}'])).rejects.toThrow(/"env" is not supported/);
});

it('refuses headers that are no JSON object', async () => {
  await expect(webhook(['--webhook-headers=x'])).rejects.toMatchObject({ code: 'invalid-setting' });
});

it('reports a status other than success without the path of the address', async () => {
  status = 500;
  const notify = await webhook();
  await expect(notify(notification)).rejects.toThrow(
    `cannot notify ${server.url}: it answered with status 500`,
  );
});

it('gives up after five seconds', async () => {
  isSilent = true;
  const sending = (await webhook())(notification).catch((error: unknown) => error);
  while (posts.length === 0) await setImmediate();
  await clock.advance(5_000);
  expect(String(await sending)).toMatch(/no answer within 5 s/);
});

it('reports an address where nobody listens', async () => {
  const notify = await webhook([], 'http://127.0.0.1:1/');
  await expect(notify(notification)).rejects.toMatchObject({ code: 'webhook-failed' });
});
