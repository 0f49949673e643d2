import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import {
  configurationPublisher,
  secretStore,
  startWebhookServer,
  type WebhookServer,
} from '@karpenter/kube/webhooks';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const key = { namespace: 'default', name: 'karpenter-webhook' };

describe('replicas that start at once', () => {
  // TLS knows real time only, so the virtual clock begins there.
  const clock = new VirtualClock(Date.now());
  let server: ApiServer;
  let client: KubeClient;
  let replicas: readonly WebhookServer[];
  const onError = vi.fn();

  beforeEach(async () => {
    server = await startApiServer({ clock });
    client = connectTo(server);
    replicas = [];
    onError.mockClear();
    await client.create(kinds.validatingWebhookConfiguration, configuration(['a', 'b']));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await client.close();
    await server.stop();
  });

  function connectTo({ url, caPem, token }: ApiServer): KubeClient {
    return connect(
      { server: url, ca: caPem, credentials: tokenCredentials(token) },
      { qps: 1_000, burst: 1_000 },
    );
  }

  const configuration = (names: readonly string[]) => ({
    metadata: { name: key.name },
    webhooks: names.map((name) => ({
      name: `${name}.webhook.karpenter.sh`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:9/' },
    })),
  });

  async function startAll(): Promise<void> {
    const start = () =>
      startWebhookServer({
        port: 0,
        host: '127.0.0.1',
        names: ['127.0.0.1'],
        clock,
        certificates: secretStore(client, key),
        publish: configurationPublisher(client, key.name),
        onError,
      });
    replicas = await Promise.all(Array.from({ length: 6 }, start));
  }

  async function published(): Promise<readonly (string | undefined)[]> {
    const { webhooks = [] } = await client.get(kinds.validatingWebhookConfiguration, { name: key.name });
    return [...new Set(webhooks.map(({ clientConfig }) => clientConfig.caBundle))];
  }

  it.each([
    ['there is no Secret', async () => {}],
    [
      'the chart has created an empty Secret',
      async () => void (await client.create(kinds.secret, { metadata: key })),
    ],
    [
      'the Secret is damaged',
      async () =>
        void (await client.create(kinds.secret, { metadata: key, data: { 'ca-cert.pem': 'eA==' } })),
    ],
  ])('agree on one CA and publish it where %s', async (_, prepare) => {
    await prepare();
    await startAll();
    const bundles = new Set(replicas.map(({ caBundle }) => caBundle));
    expect(bundles.size).toBe(1);
    expect(await published()).toEqual([...bundles]);
    expect(onError).not.toHaveBeenCalled();
    for (const { port, caBundle } of replicas) {
      const ca = Buffer.from(caBundle, 'base64').toString('utf8');
      const caller = connect({ server: `https://127.0.0.1:${port}`, ca });
      expect(await caller.request('GET', '/healthz')).toBe('ok');
      await caller.close();
    }
  });

  it('go on with their certificates while the Secret is gone, and store new ones', async () => {
    await startAll();
    const before = (await published()).join();
    await client.delete(kinds.secret, key);
    await vi.waitFor(async () => {
      await clock.advance(60_000);
      expect((await published()).join()).not.toBe(before);
    });
    // Whoever has the earlier CA in its bundle is served until it has the new one, and the other way round.
    const pem = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('utf8');
    expect(pem((await published()).join())).toContain(pem(before).trim());
    expect(onError).not.toHaveBeenCalled();
  });
});
