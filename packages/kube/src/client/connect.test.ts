import { setImmediate } from 'node:timers/promises';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import {
  type ExchangeHandler,
  type ServerExchange,
  startHttpServer,
  startRelay,
  type TestHttpServerOptions,
} from '@karpenter/testkit/http-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLeaf } from '../certificates/index.ts';
import type { WriteFence } from '../runtime/index.ts';
import { isNotFound, isTooManyRequests } from './api-error.ts';
import { kinds } from './built-in-kinds.ts';
import { type ClusterConfig, tokenCredentials } from './cluster-config.ts';
import { type ClientOptions, connect } from './connect.ts';
import { ConnectionError } from './connection-error.ts';

type Setup = TestHttpServerOptions & ClientOptions & { readonly config?: Partial<ClusterConfig> };

async function setUp(
  handler: ExchangeHandler,
  { config, protocol, clientCertificates, ...options }: Setup = {},
) {
  const server = await startHttpServer(handler, { protocol, clientCertificates });
  const clock = new VirtualClock();
  const client = connect({ server: server.url, ca: server.authority.cert, ...config }, { clock, ...options });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, clock, client };
}

const json = { 'content-type': 'application/json' };

function answer(
  exchange: ServerExchange,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  exchange.start(status, { ...json, ...headers });
  exchange.end(JSON.stringify(body));
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it was accepted'),
    (error: unknown) => error,
  );
}

/** Advances the clock until the promise is settled. */
async function turnUntil<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const done = () => {
    isSettled = true;
  };
  promise.then(done, done);
  while (!isSettled) {
    await setImmediate();
    await clock.advance(100);
  }
  return promise;
}

describe('a connection', () => {
  it('sends many requests over one connection when the server speaks HTTP/2', async () => {
    const { client, server } = await setUp((exchange) => answer(exchange, { protocol: exchange.protocol }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.request('GET', '/')));
    expect(answers).toEqual(Array.from({ length: 50 }, () => ({ protocol: 'HTTP/2' })));
    expect(server.connections).toBe(1);
  });

  it.each(['https', 'http'] as const)(
    'falls back to HTTP/1.1 over %s and reuses connections',
    async (protocol) => {
      const { client, server } = await setUp(
        (exchange) => answer(exchange, { protocol: exchange.protocol }),
        {
          protocol,
        },
      );
      for (let request = 0; request < 5; request += 1) {
        expect(await client.request('GET', '/')).toEqual({ protocol: 'HTTP/1.1' });
      }
      expect(server.connections).toBeLessThanOrEqual(2);
    },
  );

  it('opens another connection when one has as many streams as allowed', async () => {
    const open: ServerExchange[] = [];
    const { client, server } = await setUp((exchange) => void open.push(exchange));
    const requests = Array.from({ length: 150 }, () => client.request('GET', '/'));
    await vi.waitFor(() => expect(open).toHaveLength(150));
    expect(server.connections).toBe(2);
    for (const exchange of open) answer(exchange, {});
    await Promise.all(requests);
  });

  it('sends its user agent and credentials', async () => {
    const { client } = await setUp(({ headers, ...exchange }) => answer({ headers, ...exchange }, headers), {
      userAgent: 'karpenter/1.2.3',
      config: { credentials: tokenCredentials('secret') },
    });
    expect(await client.request('GET', '/')).toMatchObject({
      'user-agent': 'karpenter/1.2.3',
      authorization: 'Bearer secret',
      accept: 'application/json',
    });
  });

  it('presents a client certificate', async () => {
    const certificate = { cert: '', key: '' };
    const credentials = { current: async () => ({ certificate }) };
    const { client, server } = await setUp((exchange) => answer(exchange, exchange.clientSubject), {
      clientCertificates: true,
      config: { credentials },
    });
    const lasts = durationMs(60_000);
    Object.assign(
      certificate,
      createLeaf(server.authority, { from: Date.now(), lasts, commonName: 'me', usage: 'client' }),
    );
    expect(await client.request('GET', '/')).toBe('CN=me');
  });

  it('keeps the path prefix of the server URL', async () => {
    const { client, server } = await setUp((exchange) => answer(exchange, exchange.url.pathname));
    const under = connect({ server: `${server.url}/k8s/clusters/one/`, ca: server.authority.cert });
    onTestFinished(() => under.close());
    expect(await under.request('GET', '/version')).toBe('/k8s/clusters/one/version');
    expect(await client.request('GET', '/version')).toBe('/version');
  });

  it('trusts only the configured CA', async () => {
    const { server } = await setUp((exchange) => answer(exchange, {}));
    const stranger = connect({ server: server.url });
    const reckless = connect({ server: server.url, insecure: true });
    const strict = connect({ server: server.url, ca: server.authority.cert, tlsServerName: 'elsewhere' });
    onTestFinished(
      async () => void (await Promise.all([stranger, reckless, strict].map((it) => it.close()))),
    );
    expect(await rejection(stranger.request('GET', '/'))).toMatchObject({
      code: 'api-unreachable',
      message: expect.stringContaining('cannot GET /: '),
    });
    expect(await rejection(strict.request('GET', '/'))).toMatchObject({ code: 'api-unreachable' });
    expect(await reckless.request('GET', '/')).toEqual({});
  });

  it('fails with a ConnectionError when the server is unreachable', async () => {
    const { client, server } = await setUp(() => undefined, { protocol: 'http' });
    await server.close().catch(() => undefined);
    const error = await rejection(client.get(kinds.pod, { namespace: 'shop', name: 'web' }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^cannot get pods "web" in namespace "shop": connect ECONNREFUSED/),
    });
  });
});

describe.each(['h2', 'https'] as const)('over %s, a request', (protocol) => {
  it('is retried once after a lost connection if it is idempotent', async () => {
    let requests = 0;
    const { client } = await setUp(
      (exchange) => {
        requests += 1;
        if (requests % 2 === 1) exchange.drop();
        else answer(exchange, { requests });
      },
      { protocol },
    );
    expect(await client.request('GET', '/')).toEqual({ requests: 2 });
    expect(await rejection(client.request('POST', '/', {}))).toBeInstanceOf(ConnectionError);
    expect(requests).toBe(3);
  });

  it('is retried once after a truncated response', async () => {
    let requests = 0;
    const { client } = await setUp(
      (exchange) => {
        requests += 1;
        exchange.start(200, json);
        exchange.write('{"items":[');
        exchange.reset();
      },
      { protocol },
    );
    expect(await rejection(client.request('GET', '/'))).toBeInstanceOf(ConnectionError);
    expect(requests).toBe(2);
  });

  it('is retried after the delay that the server asks for', async () => {
    let requests = 0;
    const { client, clock } = await setUp(
      (exchange) => {
        requests += 1;
        if (requests <= 3) answer(exchange, {}, requests === 3 ? 503 : 429, { 'retry-after': '2' });
        else answer(exchange, { requests });
      },
      { protocol },
    );
    const start = clock.now();
    expect(await turnUntil(clock, client.request('POST', '/', {}))).toEqual({ requests: 4 });
    expect(clock.now() - start).toBeGreaterThanOrEqual(6000);
  });

  it('fails after ten such retries', async () => {
    let requests = 0;
    const { client, clock } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, 'busy', 429, { 'retry-after': '1' });
      },
      { protocol },
    );
    const error = await turnUntil(clock, rejection(client.request('GET', '/')));
    expect(error).toSatisfy(isTooManyRequests);
    expect(requests).toBe(11);
  });

  it('fails when no response comes before the deadline', async () => {
    const { client, clock } = await setUp(() => undefined, { protocol, requestTimeout: durationMs(5000) });
    const error = await turnUntil(clock, rejection(client.request('POST', '/', {})));
    expect(error).toMatchObject({ message: 'cannot POST /: the server took too long to answer' });
  });

  it('fails when the caller aborts it', async () => {
    const open: ServerExchange[] = [];
    const { client } = await setUp((exchange) => void open.push(exchange), { protocol });
    const stop = new AbortController();
    const waiting = rejection(client.get(kinds.node, { name: 'n' }, { signal: stop.signal }));
    await vi.waitFor(() => expect(open).toHaveLength(1));
    stop.abort();
    expect(await waiting).toMatchObject({ message: 'cannot get nodes "n": the request was given up' });
  });

  it('reports the response text when the body is not a Status', async () => {
    const { client } = await setUp(
      (exchange) => {
        exchange.start(404, { 'content-type': 'text/plain' });
        exchange.end('404 page not found\n');
      },
      { protocol },
    );
    const error = await rejection(client.get(kinds.pod, { namespace: 'a', name: 'b' }));
    expect(error).toSatisfy(isNotFound);
    expect(error).toMatchObject({
      reason: 'NotFound',
      message: 'cannot get pods "b" in namespace "a": 404 page not found',
    });
  });
});

describe('a client', () => {
  it('opens another connection after GOAWAY', async () => {
    let requests = 0;
    const { client, server } = await setUp((exchange) => {
      requests += 1;
      if (requests === 1) exchange.goAway();
      answer(exchange, { requests });
    });
    for (let request = 1; request <= 3; request += 1) {
      expect(await client.request('POST', '/', {})).toEqual({ requests: request });
    }
    expect(server.connections).toBe(2);
  });

  it('renews credentials once after a 401', async () => {
    let token = 'old';
    const renew = vi.fn(() => {
      token = 'new';
      return true;
    });
    const credentials = { current: async () => ({ authorization: token }), renew };
    const { client } = await setUp(
      (exchange) => answer(exchange, {}, exchange.headers['authorization'] === 'new' ? 200 : 401),
      { config: { credentials } },
    );
    expect(await client.request('GET', '/')).toEqual({});
    expect(renew).toHaveBeenCalledOnce();
  });

  it('keeps to its rate limit', async () => {
    let requests = 0;
    const { client, clock } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, {});
      },
      { qps: 10, burst: 5 },
    );
    const all = Promise.all(Array.from({ length: 20 }, () => client.request('GET', '/')));
    await vi.waitFor(() => expect(requests).toBe(5));
    await clock.advance(500);
    await vi.waitFor(() => expect(requests).toBe(10));
    await turnUntil(clock, all);
    expect(clock.now() - Date.UTC(2026, 0, 1)).toBeGreaterThanOrEqual(1500);
  });

  it('lists without waiting for the rate limit', async () => {
    let requests = 0;
    const { client } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, { items: [], metadata: { resourceVersion: '1' } });
      },
      { qps: 10, burst: 5 },
    );
    for (let write = 0; write < 20; write += 1) void client.request('PUT', '/').catch(() => undefined);
    await vi.waitFor(() => expect(requests).toBe(5));
    await client.list(kinds.node);
    expect(requests).toBe(6);
  });

  it('reports each exchange', async () => {
    const exchanges: unknown[] = [];
    const { client } = await setUp((exchange) => answer(exchange, {}, 404), {
      onExchange: (exchange) => exchanges.push(exchange),
    });
    await rejection(client.get(kinds.node, { name: 'n' }));
    expect(exchanges).toEqual([{ method: 'GET', path: '/api/v1/nodes/n', status: 404, duration: 0 }]);
  });

  it('drops a connection that does not answer pings', async () => {
    const open: ServerExchange[] = [];
    const { server } = await setUp((exchange) => void open.push(exchange));
    const relay = await startRelay(server.url);
    const clock = new VirtualClock();
    const requestTimeout = durationMs(10_000_000);
    const client = connect({ server: relay.url, ca: server.authority.cert }, { clock, requestTimeout });
    onTestFinished(async () => {
      await client.close();
      await relay.close();
    });
    const waiting = client.request('GET', '/');
    await vi.waitFor(() => expect(open).toHaveLength(1));
    relay.swallow();
    await clock.advance(44_000);
    expect(relay.connections).toBe(1);
    await clock.advance(1000);
    await vi.waitFor(() => expect(open).toHaveLength(2));
    expect(relay.connections).toBe(2);
    for (const exchange of open) answer(exchange, {});
    expect(await waiting).toEqual({});
  });
});

describe.each(['h2', 'https', 'http'] as const)('over %s, a write behind a fence', (protocol) => {
  const refusal = new CodedError('lease-lost', 'lost the lease');
  /** Lets so many writes pass. */
  const fenceFor = (passes: number): WriteFence => {
    let left = passes;
    return {
      check: () => {
        left -= 1;
        if (left < 0) throw refusal;
      },
    };
  };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is not sent when the fence refuses (%s)', async (method) => {
    let requests = 0;
    const { client } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, {});
      },
      { protocol, fence: fenceFor(0) },
    );
    expect(await rejection(client.request(method, '/', {}))).toBe(refusal);
    expect(await client.request('GET', '/')).toEqual({});
    expect(requests).toBe(1);
  });

  it('is not sent again when the fence has closed since', async () => {
    let requests = 0;
    const fence = {
      check: () => {
        if (requests > 0) throw refusal;
      },
    };
    const { client, clock } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, {}, 429, { 'retry-after': '1' });
      },
      { protocol, fence },
    );
    expect(await turnUntil(clock, rejection(client.request('POST', '/', {})))).toBe(refusal);
    expect(requests).toBe(1);
  });

  it('is not sent when the fence has closed while it waited for a connection', async () => {
    let requests = 0;
    const { client, server } = await setUp(
      (exchange) => {
        requests += 1;
        answer(exchange, {});
      },
      { protocol, fence: fenceFor(1) },
    );
    expect(await rejection(client.request('POST', '/', {}))).toBe(refusal);
    expect(server.connections).toBeGreaterThan(0);
    expect(requests).toBe(0);
  });
});

it('over HTTP/2, a write does not leave when the fence closes after the connection has taken it', async () => {
  const refusal = new CodedError('lease-lost', 'lost the lease');
  let requests = 0;
  let isOpen = true;
  const fence = {
    check: () => {
      if (!isOpen) throw refusal;
    },
  };
  const { client } = await setUp(
    (exchange) => {
      requests += 1;
      answer(exchange, {});
    },
    { fence },
  );
  await client.request('POST', '/', {});
  const late = client.request('POST', '/', {});
  // The session sends what it has been given when everything else that is due has run.
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  isOpen = false;
  expect(await rejection(late)).toBe(refusal);
  expect(requests).toBe(1);
});
