import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../client/index.ts';
import { memoryStore } from './certificate-store.ts';
import { startWebhookServer, type WebhookServer, type WebhookServerOptions } from './webhook-server.ts';

const day = 86_400_000;

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
    expect(await client.request('POST', '/validate', review({ uid: '2' }))).toMatchObject({
      response: { uid: '2', allowed: false, status: { code: 422, message: 'no' } },
    });
  });

  it('returns changes as a JSON patch', async () => {
    const patch = [{ op: 'add', path: '/spec', value: { größe: 1 } }] as const;
    const { client } = await setUp({ admission: { '/mutate': async () => ({ allowed: true, patch }) } });
    const { response } = (await client.request('POST', '/mutate', review({ uid: '1' }))) as {
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
          objects: names.map((name) => ({ metadata: { name } })),
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
    expect(await refusal('POST', '/validate', review({}))).toContain('broken');
    expect(errors).toHaveLength(1);
  });

  it('renews its certificate before it expires, without a restart', async () => {
    const { clock, server } = await setUp({ servingLasts: durationMs(30 * day) });
    const served = async () => {
      // The virtual clock does not affect TLS, for which the new certificate is not valid yet.
      const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
      socket.destroy();
      return fingerprint;
    };
    const [first, bundle] = [await served(), server.caBundle];
    await clock.advance(19 * day);
    expect(await served()).toBe(first);
    await clock.advance(2 * day);
    expect(await served()).not.toBe(first);
    expect(server.caBundle).toBe(bundle);
  });

  it('keeps the old CA in the bundle when it creates a new one, and reports the bundle', async () => {
    const received: string[] = [];
    const { clock, server } = await setUp({
      servingLasts: durationMs(30 * day),
      authorityLasts: durationMs(90 * day),
      onTrusted: (bundle) => void received.push(bundle),
    });
    const before = bundleOf(server);
    await clock.advance(61 * day);
    const authorities = bundleOf(server).match(/-----BEGIN[\s\S]+?END CERTIFICATE-----\n/g) ?? [];
    expect(authorities).toHaveLength(2);
    expect(authorities[1]).toBe(before);
    expect(new X509Certificate(authorities[0] ?? '').subject).toBe('CN=127.0.0.1 authority');
    expect(received).toEqual([Buffer.from(before).toString('base64'), server.caBundle]);
  });

  it('retries when certificates cannot be renewed', async () => {
    const store = memoryStore();
    let isBroken = false;
    const onError = vi.fn();
    const { clock, server } = await setUp({
      servingLasts: durationMs(30 * day),
      authorityLasts: durationMs(30 * day),
      onError,
      certificates: {
        update: (renew) => (isBroken ? Promise.reject(new Error('no store')) : store.update(renew)),
      },
    });
    const before = server.caBundle;
    await clock.advance(20 * day - 1000);
    isBroken = true;
    await clock.advance(61_000);
    expect(onError).toHaveBeenCalledTimes(2);
    expect(server.caBundle).toBe(before);
    isBroken = false;
    await clock.advance(60_000);
    expect(server.caBundle).not.toBe(before);
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
    const answer = client.request('POST', '/slow', review({ uid: '1' }));
    await vi.waitFor(() => expect(finish.toString()).toContain('resolve'));
    const closed = server.close();
    finish();
    expect(await answer).toMatchObject({ response: { allowed: true } });
    await client.close();
    await closed;
  });
});
