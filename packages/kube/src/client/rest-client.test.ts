import { capacityBufferKind } from '@karpenter/core/api';
import { VirtualClock } from '@karpenter/testkit/clock';
import { type ExchangeHandler, type ServerExchange, startHttpServer } from '@karpenter/testkit/http-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isForbidden, isGone } from './api-error.ts';
import { kinds } from './built-in-kinds.ts';
import { connect } from './connect.ts';
import { ConnectionError } from './connection-error.ts';
import { kindOf } from './custom-kind.ts';
import type { KubeObject } from './kind.ts';
import type { WatchEvent } from './kube-client.ts';

interface Heard {
  readonly request: string;
  readonly type?: unknown;
  readonly body?: unknown;
}

async function setUp(handler: ExchangeHandler) {
  const server = await startHttpServer(handler, { protocol: 'http' });
  const clock = new VirtualClock();
  const client = connect({ server: server.url }, { clock });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, clock };
}

function answer(exchange: ServerExchange, body: unknown, status = 200): void {
  exchange.start(status, { 'content-type': 'application/json' });
  exchange.end(JSON.stringify(body));
}

/** A server that records requests and accepts them all. */
async function listening() {
  const heard: Heard[] = [];
  const { client } = await setUp(async (exchange) => {
    const body = await exchange.body();
    const request = `${exchange.method} ${exchange.url.pathname}${decodeURIComponent(exchange.url.search)}`;
    const content = body === '' ? {} : { type: exchange.headers['content-type'], body: JSON.parse(body) };
    heard.push({ request, ...content });
    answer(exchange, {});
  });
  return { client, heard };
}

describe('the API verbs', () => {
  const key = { namespace: 'shop', name: 'web' };

  it('use the API paths of built-in and custom kinds', async () => {
    const { client, heard } = await listening();
    await client.get(kinds.pod, key);
    await client.get(kinds.node, { name: 'n' });
    await client.get(kinds.deployment, key);
    await client.get(kindOf(capacityBufferKind), key);
    await client.list(kinds.pod, { labelSelector: 'a=b,c', limit: 5, resourceVersion: '0' });
    await client.list(kinds.pod, { namespace: 'shop', limit: 5 });
    expect(heard.map(({ request }) => request)).toEqual([
      'GET /api/v1/namespaces/shop/pods/web',
      'GET /api/v1/nodes/n',
      'GET /apis/apps/v1/namespaces/shop/deployments/web',
      'GET /apis/autoscaling.x-k8s.io/v1beta1/namespaces/shop/capacitybuffers/web',
      'GET /api/v1/pods?labelSelector=a=b,c&limit=5&resourceVersion=0',
      'GET /api/v1/namespaces/shop/pods?limit=5',
    ]);
  });

  it('find an object, or undefined where there is none', async () => {
    const { client } = await setUp((exchange) => {
      const isStored = exchange.url.pathname.endsWith('/stored');
      answer(exchange, isStored ? { metadata: { name: 'stored' } } : {}, isStored ? 200 : 404);
    });
    expect(await client.find(kinds.node, { name: 'stored' })).toMatchObject({ metadata: { name: 'stored' } });
    expect(await client.find(kinds.node, { name: 'absent' })).toBeUndefined();
  });

  it('reject a find that fails for another reason', async () => {
    const { client } = await setUp((exchange) => answer(exchange, { reason: 'Forbidden' }, 403));
    await expect(client.find(kinds.node, { name: 'n' })).rejects.toSatisfy(isForbidden);
  });

  it('send the write options as query parameters', async () => {
    const { client, heard } = await listening();
    const object = { metadata: key };
    const typed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key };
    await client.create(kinds.configMap, object, {
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
    });
    await client.replace(kinds.configMap, object, { subresource: 'status' });
    await client.apply(kinds.configMap, object, { fieldManager: 'me', force: true });
    await client.create(kinds.serviceAccount, object, { subresource: 'token' });
    expect(heard).toEqual([
      {
        request: 'POST /api/v1/namespaces/shop/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict',
        type: 'application/json',
        body: typed,
      },
      { request: 'PUT /api/v1/namespaces/shop/configmaps/web/status', type: 'application/json', body: typed },
      {
        request: 'PATCH /api/v1/namespaces/shop/configmaps/web?fieldManager=me&force=true',
        type: 'application/apply-patch+yaml',
        body: typed,
      },
      {
        request: 'POST /api/v1/namespaces/shop/serviceaccounts/web/token',
        type: 'application/json',
        body: { ...typed, kind: 'ServiceAccount' },
      },
    ]);
  });

  it('send JSON, merge and strategic merge patches', async () => {
    const { client, heard } = await listening();
    const operations = [{ op: 'remove', path: '/a' }] as const;
    await client.patch(kinds.pod, key, { type: 'json', operations });
    await client.patch(kinds.pod, key, { type: 'merge', body: { a: 1 } }, { subresource: 'status' });
    await client.patch(kinds.pod, key, { type: 'strategic', body: { a: 1 } });
    expect(heard.map(({ type, body }) => [type, body])).toEqual([
      ['application/json-patch+json', operations],
      ['application/merge-patch+json', { a: 1 }],
      ['application/strategic-merge-patch+json', { a: 1 }],
    ]);
  });

  it('delete, evict and bind', async () => {
    const { client, heard } = await listening();
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
    await client.delete(kinds.pod, key, {
      gracePeriodSeconds: 0,
      propagationPolicy: 'Background',
      preconditions: { uid: 'u' },
      dryRun: true,
    });
    await client.deleteAll(kinds.pod, { namespace: 'shop', labelSelector: 'a=b' });
    await client.evict(key, { gracePeriodSeconds: 5 });
    await client.bind(key, 'n');
    expect(heard.map(({ request, body }) => [request, body])).toEqual([
      [
        'DELETE /api/v1/namespaces/shop/pods/web',
        {
          ...options,
          gracePeriodSeconds: 0,
          propagationPolicy: 'Background',
          preconditions: { uid: 'u' },
          dryRun: ['All'],
        },
      ],
      ['DELETE /api/v1/namespaces/shop/pods?labelSelector=a=b', options],
      [
        'POST /api/v1/namespaces/shop/pods/web/eviction',
        {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: key,
          deleteOptions: { ...options, gracePeriodSeconds: 5 },
        },
      ],
      [
        'POST /api/v1/namespaces/shop/pods/web/binding',
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: key,
          target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
        },
      ],
    ]);
  });

  it('refuse to write an object without a name', async () => {
    const { client, heard } = await listening();
    await expect(client.replace(kinds.node, { metadata: {} })).rejects.toMatchObject({
      code: 'unnamed-object',
      message: 'cannot write nodes: the object has no name; set metadata.name',
    });
    expect(heard).toEqual([]);
  });

  it('fail at once when a PodDisruptionBudget forbids an eviction', async () => {
    let requests = 0;
    const { client } = await setUp((exchange) => {
      requests += 1;
      const details = { causes: [{ reason: 'DisruptionBudget' }], retryAfterSeconds: 10 };
      exchange.start(429, { 'content-type': 'application/json', 'retry-after': '10' });
      exchange.end(JSON.stringify({ kind: 'Status', code: 429, message: 'Cannot evict', details }));
    });
    await expect(client.evict(key)).rejects.toMatchObject({ status: 429, retryAfter: 10_000 });
    expect(requests).toBe(1);
  });
});

describe('a list', () => {
  const item = (name: string) => ({ metadata: { name } });

  it('is fetched page by page, with apiVersion and kind on each item', async () => {
    const asked: string[] = [];
    const { client } = await setUp((exchange) => {
      const next = exchange.url.searchParams.get('continue');
      asked.push(exchange.url.search);
      const metadata = { resourceVersion: '7', ...(next === null ? { continue: 'more' } : {}) };
      answer(exchange, { metadata, items: [item(next ?? 'first')] });
    });
    const typed = { apiVersion: 'v1', kind: 'Node' };
    expect(await client.list(kinds.node, { resourceVersion: '0' })).toEqual({
      resourceVersion: '7',
      items: [
        { ...typed, ...item('first') },
        { ...typed, ...item('more') },
      ],
    });
    expect(asked).toEqual(['?resourceVersion=0&limit=500', '?limit=500&continue=more']);
  });

  it('is fetched without pages when the continue token expires', async () => {
    const { client } = await setUp((exchange) => {
      const { searchParams } = exchange.url;
      if (searchParams.has('continue')) return answer(exchange, { code: 410, reason: 'Expired' }, 410);
      const isPaged = searchParams.has('limit');
      const metadata = { resourceVersion: isPaged ? '7' : '9', ...(isPaged ? { continue: 'more' } : {}) };
      answer(exchange, { metadata, items: [item('a'), ...(isPaged ? [] : [item('b')])] });
    });
    const { items, resourceVersion } = await client.list(kinds.node);
    expect([resourceVersion, items.map(({ metadata }) => metadata?.name)]).toEqual(['9', ['a', 'b']]);
  });
});

describe('a watch', () => {
  const frame = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
  const added = (name: string) => frame('ADDED', { metadata: { name, resourceVersion: '5' } });

  async function collect(watch: AsyncIterable<WatchEvent<KubeObject>>) {
    const events: WatchEvent<KubeObject>[] = [];
    for await (const event of watch) events.push(event);
    return events;
  }

  it('joins events that arrive in pieces, even within a character', async () => {
    const { client } = await setUp((exchange) => {
      exchange.start(200);
      exchange.end(
        `${added('größe')}\n\r\n${frame('BOOKMARK', { metadata: { resourceVersion: '8' } })}`.replace(
          '\n\r\n',
          '\n',
        ),
      );
    });
    const events = await collect(client.watch(kinds.node));
    expect(events).toEqual([
      { type: 'ADDED', object: { metadata: { name: 'größe', resourceVersion: '5' } } },
      { type: 'BOOKMARK', resourceVersion: '8', initialEventsEnd: false },
    ]);
  });

  it('requests bookmarks, and initial events if asked to', async () => {
    const asked: string[] = [];
    const { client } = await setUp((exchange) => {
      asked.push(exchange.url.search);
      exchange.start(200);
      exchange.end();
    });
    await collect(client.watch(kinds.node, { resourceVersion: '5', timeoutSeconds: 9 }));
    await collect(client.watch(kinds.node, { sendInitialEvents: true }));
    expect(asked).toEqual([
      '?watch=true&allowWatchBookmarks=true&timeoutSeconds=9&resourceVersion=5',
      '?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    ]);
  });

  it('throws the error that the server sends', async () => {
    const { client } = await setUp((exchange) => {
      exchange.start(200);
      exchange.end(frame('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }));
    });
    const error: unknown = await collect(client.watch(kinds.node)).catch((reason: unknown) => reason);
    expect(error).toSatisfy(isGone);
    expect(error).toMatchObject({ message: 'cannot watch nodes: too old' });
  });

  it.each([
    ['ends within an event', '{"type":"ADDED","obj', 'the server sent an event that broke off'],
    ['sends an event without an object', '{"type":"ADDED"}\n', 'the server sent an event without an object'],
    [
      'sends an event of unknown type',
      '{"type":"X","object":{}}\n',
      'the server sent an event of unknown type "X"',
    ],
  ])('throws a ConnectionError when the server %s', async (_what, text, message) => {
    const { client } = await setUp((exchange) => {
      exchange.start(200);
      exchange.end(text);
    });
    await expect(collect(client.watch(kinds.node))).rejects.toMatchObject({
      message: `cannot watch nodes: ${message}`,
    });
  });

  it('fails when the server stays silent past the deadline', async () => {
    const { client, clock } = await setUp((exchange) => {
      exchange.start(200);
      exchange.write(added('a'));
    });
    const watch = client.watch(kinds.node, { timeoutSeconds: 60 })[Symbol.asyncIterator]();
    await watch.next();
    const next = watch.next().catch((error: unknown) => error);
    await clock.advance(90_000);
    expect(await next).toBeInstanceOf(ConnectionError);
    expect(await next).toMatchObject({ message: 'cannot watch nodes: the server fell silent' });
  });

  it('ends the request when the reader leaves the loop', async () => {
    const closed = vi.fn();
    const { client } = await setUp((exchange) => {
      exchange.onClose(closed);
      exchange.start(200);
      exchange.write(added('a'));
    });
    for await (const event of client.watch(kinds.node)) {
      expect(event.type).toBe('ADDED');
      break;
    }
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it('applies backpressure when nobody reads', async () => {
    const count = 20_000;
    let written = 0;
    let isHeldBack = false;
    const filler = 'x'.repeat(1000);
    const { client } = await setUp((exchange) => {
      exchange.start(200);
      const write = () => {
        while (written < count) {
          written += 1;
          if (!exchange.write(frame('ADDED', { metadata: { name: `n${written}` }, filler }))) {
            isHeldBack = true;
            exchange.onDrain(write);
            return;
          }
        }
        exchange.end();
      };
      write();
    });
    const watch = client.watch(kinds.node)[Symbol.asyncIterator]();
    await watch.next();
    await vi.waitFor(() => expect(isHeldBack).toBe(true));
    expect(written).toBeLessThan(count);
    let read = 1;
    for (let next = await watch.next(); next.done !== true; next = await watch.next()) read += 1;
    expect(read).toBe(count);
  });
});
