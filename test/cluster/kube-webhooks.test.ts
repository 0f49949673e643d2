import { randomBytes } from 'node:crypto';
import { isForbidden, type KubeObject, kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import {
  secretStore,
  startWebhookServer,
  type WebhookServer,
  type WebhookServerOptions,
} from '@karpenter/kube/webhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Connection, onEachServer, patience } from './kube-connection.ts';
import { createCustomKinds } from './kube-custom-kind.ts';

async function serve(options: Partial<WebhookServerOptions>): Promise<WebhookServer> {
  const server = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    names: ['127.0.0.1'],
    clock: systemClock,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Restricted to the namespace of this test: others use the same API server. */
function configuration({ namespace }: Connection, { port, caBundle }: WebhookServer, path: string) {
  const name = `hook-${randomBytes(4).toString('hex')}.karpenter.test`;
  return {
    metadata: { name },
    webhooks: [
      {
        name,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
    ],
  };
}

onEachServer('webhooks called by %s', (connectToPlane) => {
  it('reject with their own message, and warn', async () => {
    const connection = await connectToPlane();
    const { client, namespace } = connection;
    const server = await serve({
      admission: {
        '/validate': ({ object }) =>
          object?.metadata?.name === 'evil' ? { allowed: false, message: 'no evil here' } : { allowed: true },
      },
    });
    const hook = await client.create(
      kinds.validatingWebhookConfiguration,
      configuration(connection, server, '/validate'),
    );
    onTestFinished(() =>
      client.delete(kinds.validatingWebhookConfiguration, { name: hook.metadata?.name ?? '' }),
    );
    await vi.waitFor(async () => {
      const attempt = client.create(
        kinds.configMap,
        { metadata: { name: 'evil', namespace } },
        { dryRun: true },
      );
      const error: unknown = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toSatisfy(isForbidden);
      expect(error).toMatchObject({ message: expect.stringContaining('denied the request: no evil here') });
    }, patience);
    await client.create(kinds.configMap, { metadata: { name: 'good', namespace } });
  });

  it('change the stored object', async () => {
    const connection = await connectToPlane();
    const { client, namespace } = connection;
    const server = await serve({
      admission: {
        '/mutate': () => ({ allowed: true, patch: [{ op: 'add', path: '/data', value: { added: 'yes' } }] }),
      },
      certificates: secretStore(client, { namespace, name: 'webhook-certificates' }),
    });
    const hook = await client.create(
      kinds.mutatingWebhookConfiguration,
      configuration(connection, server, '/mutate'),
    );
    onTestFinished(() =>
      client.delete(kinds.mutatingWebhookConfiguration, { name: hook.metadata?.name ?? '' }),
    );
    await vi.waitFor(async () => {
      const made = await client.create(
        kinds.configMap,
        { metadata: { name: 'plain', namespace } },
        { dryRun: true },
      );
      expect(made.data).toEqual({ added: 'yes' });
    }, patience);
    const second = await serve({
      certificates: secretStore(client, { namespace, name: 'webhook-certificates' }),
    });
    expect(second.caBundle).toBe(server.caBundle);
  });

  it('convert between versions', async () => {
    const { client, namespace } = await connectToPlane();
    interface Thing extends KubeObject {
      readonly size?: number;
      readonly spec?: { readonly size?: number };
    }
    const server = await serve({
      conversion: {
        '/convert': (object: Thing, apiVersion) => {
          const { apiVersion: _old, size, spec, ...rest } = object;
          return apiVersion.endsWith('/v1')
            ? { apiVersion, ...rest, spec: { size } }
            : { apiVersion, ...rest, size: spec?.size };
        },
      },
    });
    const [v1, v1beta1] = await createCustomKinds<Thing>(client, {
      versions: ['v1', 'v1beta1'],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: `https://127.0.0.1:${server.port}/convert`, caBundle: server.caBundle },
        },
      },
    });
    if (v1 === undefined || v1beta1 === undefined) return expect.fail('there are not two versions');
    await client.create(v1beta1, { metadata: { name: 'one', namespace }, size: 3 });
    expect((await client.get(v1, { namespace, name: 'one' })).spec).toEqual({ size: 3 });
    expect((await client.get(v1beta1, { namespace, name: 'one' })).size).toBe(3);
  });
});
