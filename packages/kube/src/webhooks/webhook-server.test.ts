import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../client/index.ts';
import { memoryStore } from './certificate-store.ts';
import { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';

const minute = 60_000;
const hour = 60 * minute;

async function setUp(options: Partial<WebhookServerOptions> = {}) {
  const clock = new VirtualClock(Date.now());
  const server = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    names: ['127.0.0.1', 'karpenter.kube-system.svc'],
    clock,
    ...options,
  });
  const client = connect({ server: `https://127.0.0.1:${server.port}`, ca: bundleOf(server) }, { clock });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { clock, server, client };
}

function bundleOf({ caBundle }: WebhookServer): string {
  return Buffer.from(caBundle, 'base64').toString('utf8');
}

const review = (request: object) => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });

describe('a webhook server', () => {
  it('answers admission reviews', async () => {
    const { client } = await setUp({
      admission: {
        '/validate': ({ object, operation }) =>
          object?.metadata?.name === 'good'
            ? { allowed: true, warnings: [`careful with ${operation}`] }
            : { allowed: false, message: 'no', code: 422 },
      },
    });
    const good = { uid: '1', operation: 'CREATE', object: { metadata: { name: 'good' } } };
    expect(await client.request('POST', '/validate?timeout=10s', review(good))).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: '1', allowed: true, warnings: ['careful with CREATE'] },
    });
    expect(
      await client.request('POST', '/validate', review({ uid: '2', operation: 'CREATE' })),
    ).toMatchObject({
      response: { uid: '2', allowed: false, status: { code: 422, message: 'no' } },
    });
  });

  it('returns changes as a JSON patch', async () => {
    const patch = [{ op: 'add', path: '/spec', value: { größe: 1 } }] as const;
    const { client } = await setUp({ admission: { '/mutate': async () => ({ allowed: true, patch }) } });
    const { response } = (await client.request(
      'POST',
      '/mutate',
      review({ uid: '1', operation: 'CREATE' }),
    )) as {
      readonly response: { readonly patchType: string; readonly patch: string };
    };
    expect(response.patchType).toBe('JSONPatch');
    expect(JSON.parse(Buffer.from(response.patch, 'base64').toString('utf8'))).toEqual(patch);
  });

  it('converts all objects or reports why it cannot', async () => {
    const { client } = await setUp({
      conversion: {
        '/convert': (object, apiVersion) => {
          if (object.metadata?.name === 'odd') throw new Error('odd has no equal');
          if (object.metadata?.name === 'lost') return { ...object, apiVersion: 'x/v3' };
          return { ...object, apiVersion };
        },
      },
    });
    const convert = (...names: readonly string[]) =>
      client.request('POST', '/convert', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: {
          uid: '1',
          desiredAPIVersion: 'x/v2',
          objects: names.map((name) => ({ apiVersion: 'x/v1', kind: 'Thing', metadata: { name } })),
        },
      });
    expect(await convert('a', 'b')).toMatchObject({
      response: {
        uid: '1',
        result: { status: 'Success' },
        convertedObjects: [
          { apiVersion: 'x/v2', metadata: { name: 'a' } },
          { apiVersion: 'x/v2', metadata: { name: 'b' } },
        ],
      },
    });
    expect(await convert('a', 'odd')).toMatchObject({
      response: { result: { status: 'Failure', message: 'odd has no equal' }, convertedObjects: [] },
    });
    expect(await convert('lost')).toMatchObject({
      response: {
        result: {
          status: 'Failure',
          message: 'cannot convert Thing lost to x/v2: the result is Thing of x/v3',
        },
        convertedObjects: [],
      },
    });
  });

  it('serves health probes and rejects requests that are not reviews', async () => {
    const errors: unknown[] = [];
    const { client } = await setUp({
      admission: {
        '/validate': () => {
          throw new Error('broken');
        },
      },
      onError: (error) => errors.push(error),
    });
    const refusal = (method: string, path: string, body?: unknown) =>
      client.request(method, path, body).catch((error: { readonly message: string }) => error.message);
    expect(await client.request('GET', '/healthz')).toBe('ok');
    expect(await client.request('GET', '/readyz')).toBe('ok');
    expect(await refusal('GET', '/other')).toContain('nothing is served at /other');
    expect(await refusal('GET', '/validate')).toContain('reviews are posted');
    expect(await refusal('POST', '/validate', {})).toContain('the body is no AdmissionReview');
    expect(errors).toEqual([]);
    expect(await refusal('POST', '/validate', review({ uid: '1', operation: 'CREATE' }))).toContain('broken');
    expect(errors).toHaveLength(1);
  });

  describe('refuses without harm', () => {
    const raw = (
      server: WebhookServer,
      options: { readonly [header: string]: string },
      body: string | Buffer,
    ) =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const sent = httpsRequest(
          {
            port: server.port,
            host: '127.0.0.1',
            path: '/validate',
            method: 'POST',
            ca: bundleOf(server),
            headers: { 'content-type': 'application/json', ...options },
            agent: false,
          },
          (response) => {
            response.setEncoding('utf8');
            let text = '';
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          },
        );
        sent.on('error', reject);
        sent.end(body);
      });

    const answering = { admission: { '/validate': () => ({ allowed: true as const }) } };
    const good = JSON.stringify(review({ uid: '1', operation: 'CREATE' }));

    it.each<[string, string, RegExp]>([
      ['no JSON', '{"kind":', /JSON/],
      ['no body', '', /JSON/],
      ['null', 'null', /the body is no AdmissionReview/],
      ['a list', '[]', /the body is no AdmissionReview/],
      ['another kind', good.replace('AdmissionReview', 'Pod'), /the body is no AdmissionReview/],
      ['another version', good.replace('/v1', '/v1beta1'), /only AdmissionReviews of admission.k8s.io\/v1/],
      ['no uid', good.replace('"uid":"1",', ''), /has no uid/],
      ['an uid that is no text', good.replace('"1"', '{}'), /has no uid/],
      ['no operation', good.replace('CREATE', 'PATCH'), /no known operation/],
    ])('%s', async (_, body, message) => {
      const { server } = await setUp(answering);
      expect(await raw(server, {}, body)).toEqual({ status: 400, text: expect.stringMatching(message) });
      expect(await raw(server, {}, good)).toMatchObject({ status: 200 });
    });

    it.each(['text/plain', 'application/yaml', 'application/jsonp', ''])(
      'the content type %j',
      async (type) => {
        const { server } = await setUp(answering);
        expect(await raw(server, { 'content-type': type }, good)).toMatchObject({ status: 415 });
        const withCharset = { 'content-type': 'application/json; charset=utf-8' };
        expect(await raw(server, withCharset, good)).toMatchObject({ status: 200 });
      },
    );

    it('a body that is too large, whether it says so or not', async () => {
      const { server } = await setUp(answering);
      const large = Buffer.alloc(10 * 1024 * 1024, ' ');
      const refused = (headers: Readonly<Record<string, string>>) =>
        raw(server, headers, large).then(
          ({ status }) => status,
          // Whoever goes on sending may find the connection closed before it reads the answer.
          ({ code }: { readonly code: string }) => code,
        );
      expect([413, 'EPIPE', 'ECONNRESET']).toContain(await refused({}));
      expect([413, 'EPIPE', 'ECONNRESET']).toContain(await refused({ 'transfer-encoding': 'chunked' }));
      expect(await raw(server, {}, good)).toMatchObject({ status: 200 });
    });

    it('large bodies that come together, and accepts each of them alone', async () => {
      const { server } = await setUp(answering);
      const large = Buffer.from(good.padEnd(7 * 1024 * 1024));
      const statuses = await Promise.all(
        Array.from({ length: 16 }, () =>
          raw(server, {}, large).then(
            ({ status }) => status,
            () => 503,
          ),
        ),
      );
      expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
      expect(await raw(server, {}, large)).toMatchObject({ status: 200 });
    });

    it('an object that is nested too deeply to be looked at', async () => {
      const { server } = await setUp({
        admission: { '/validate': ({ object }) => ({ allowed: JSON.stringify(object).length > 0 }) as never },
      });
      const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
      const body = good.replace('"CREATE"', `"CREATE","object":${deep}`);
      expect([400, 500]).toContain((await raw(server, {}, body)).status);
      expect(await raw(server, {}, good.replace('"CREATE"', '"CREATE","object":{}'))).toMatchObject({
        status: 200,
      });
    });

    it('paths that objects inherit', async () => {
      const { client } = await setUp(answering);
      await expect(client.request('POST', '/constructor', {})).rejects.toMatchObject({
        message: expect.stringContaining('nothing is served at /constructor'),
      });
    });

    it('a path that is no URL', async () => {
      const onError = vi.fn();
      const { server } = await setUp({ ...answering, onError });
      const target = { port: server.port, host: '127.0.0.1', ca: bundleOf(server), agent: false as const };
      const [reply] = await once(httpsRequest({ ...target, path: '//', method: 'POST' }).end(), 'response');
      reply.resume();
      expect(reply.statusCode).toBe(404);
      expect(onError).not.toHaveBeenCalled();
    });
  });

  it('renews its certificate before it expires, without a restart', async () => {
    const { clock, server } = await setUp({ servingLasts: durationMs(hour) });
    const served = async () => {
      // The virtual clock does not affect TLS, for which the new certificate is not valid yet.
      const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
      socket.destroy();
      return fingerprint;
    };
    const [first, bundle] = [await served(), server.caBundle];
    await clock.advance(35 * minute);
    expect(await served()).toBe(first);
    await clock.advance(10 * minute);
    expect(await served()).not.toBe(first);
    expect(server.caBundle).toBe(bundle);
  });

  it('goes on with the certificates that it has while they cannot be renewed, and retries', async () => {
    const store = memoryStore();
    let isBroken = false;
    const onError = vi.fn();
    const { clock, server } = await setUp({
      servingLasts: durationMs(hour),
      authorityLasts: durationMs(hour),
      onError,
      certificates: {
        update: (renew) => (isBroken ? Promise.reject(new Error('no store')) : store.update(renew)),
      },
    });
    const before = server.caBundle;
    await clock.advance(35 * minute);
    isBroken = true;
    await clock.advance(10 * minute);
    expect(onError).toHaveBeenCalledTimes(10);
    expect(server.caBundle).toBe(before);
    isBroken = false;
    await clock.advance(minute);
    expect(server.caBundle).not.toBe(before);
  });

  it('names a port that is taken', async () => {
    const { server } = await setUp();
    await expect(
      startWebhookServer({ port: server.port, host: '127.0.0.1', names: ['127.0.0.1'] }),
    ).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining(`cannot listen on port ${server.port} for webhooks`),
    });
  });

  it('answers requests in progress before it closes', async () => {
    let finish = () => undefined as undefined;
    const { client, server } = await setUp({
      admission: {
        '/slow': () =>
          new Promise((resolve) => {
            finish = () => void resolve({ allowed: true });
          }),
      },
    });
    const answer = client.request('POST', '/slow', review({ uid: '1', operation: 'CREATE' }));
    await vi.waitFor(() => expect(finish.toString()).toContain('resolve'));
    const closed = server.close();
    finish();
    expect(await answer).toMatchObject({ response: { allowed: true } });
    await client.close();
    await closed;
  });
});
