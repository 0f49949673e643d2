import { customResources, ec2NodeClasses } from '@karpenter/aws';
import { convert, convertedDefinitions, convertingDefinition } from '@karpenter/aws/conversion';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import type { JsonObject } from '@karpenter/core/schema';
import { durationMs } from '@karpenter/core/values';
import { connect, type Kind, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { definitionPublisher, startWebhookServer, type WebhookServer } from '@karpenter/kube/webhooks';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '@karpenter/testkit/clock';
import { samples } from '@karpenter/testkit/custom-resources';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RandomManifests } from '../../conversion/random-manifests.ts';

type Stored = { readonly metadata: { readonly name: string }; readonly spec: JsonObject };

const service = { namespace: 'default', name: 'karpenter' };
const v1Kinds = [nodePools, nodeClaims, ec2NodeClasses] as unknown as readonly Kind<Stored>[];
const kindOf = ({ apiVersion, kind }: JsonObject) => ({
  ...(v1Kinds.find((each) => each.kind === kind) as Kind<Stored>),
  version: String(apiVersion).split('/')[1] ?? '',
});
const random = new RandomManifests(7);
const older = [random.nodePool(), random.nodeClaim(), random.nodeClass()];
const newer = samples.map(({ object }) => object).filter((object) => convertible(object));

function convertible({ kind }: JsonObject): boolean {
  return v1Kinds.some((each) => each.kind === kind);
}

const under = (name: string, { status: _, ...object }: JsonObject) =>
  ({ ...object, metadata: { name } }) as never;

let server: ApiServer;
let client: KubeClient;
let webhook: WebhookServer;
// TLS knows real time only, so the virtual clock begins there.
const clock = new VirtualClock(Date.now());

beforeAll(async () => {
  server = await startApiServer({ clock, services: () => `https://127.0.0.1:${webhook.port}` });
  client = connect(
    { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) },
    { qps: 1_000, burst: 1_000 },
  );
  for (const { definition } of customResources)
    await client.create(
      kinds.customResourceDefinition,
      convertingDefinition(definition, { ...service, port: 8443 }) as never,
    );
  webhook = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    names: [`${service.name}.${service.namespace}.svc`, '127.0.0.1'],
    authorityLasts: durationMs(3 * 3_600_000),
    clock,
    conversion: { '/convert': (object, desired) => convert(object as never, desired) as never },
    publish: definitionPublisher(client, { names: convertedDefinitions, service }),
  });
});

afterAll(async () => {
  await webhook.close();
  await client.close();
  await server.stop();
});

const pem = (bundle = '') => Buffer.from(bundle, 'base64').toString('utf8');

const bundleOf = async (name: string) => {
  const { spec } = await client.get(kinds.customResourceDefinition, { name });
  return spec.conversion?.webhook?.clientConfig?.caBundle;
};

describe('definitions that convert, on the embedded server', () => {
  it.each(older.map((object) => [String(object['kind']), object] as const))(
    'give back a %s of v1beta1 as it was created, which is stored as v1',
    async (_, object) => {
      const created = await client.create(kindOf(object), under('older', object));
      expect(created.spec).toMatchObject(object['spec'] as JsonObject);
      const { spec } = await client.get(kindOf(object), { name: 'older' });
      expect(spec).toEqual(created.spec);
      const v1 = await client.get({ ...kindOf(object), version: 'v1' }, { name: 'older' });
      expect(v1.spec).toMatchObject(
        convert({ ...object, spec: created.spec }, `${kindOf(object).group}/v1`)['spec'] as JsonObject,
      );
    },
  );

  it.each(newer.map((object, index) => [String(object['kind']), index, object] as const))(
    'keep a %s of v1 (%i) when it is written as v1beta1',
    async (_, index, object) => {
      const name = `newer-${index}`;
      const { spec } = await client.create(kindOf(object), under(name, object));
      const inBeta = { ...kindOf(object), version: 'v1beta1' };
      await client.replace(inBeta, await client.get(inBeta, { name }));
      expect((await client.get(kindOf(object), { name })).spec).toEqual(spec);
    },
  );

  it('keep the bundle of another webhook', async () => {
    const name = convertedDefinitions[0] ?? '';
    const webhookOf = (serviceName: string, caBundle: string) => ({
      type: 'merge' as const,
      body: {
        spec: { conversion: { webhook: { clientConfig: { caBundle, service: { name: serviceName } } } } },
      },
    });
    const own = (await bundleOf(name)) ?? '';
    await client.patch(kinds.customResourceDefinition, { name }, webhookOf('other', own));
    const publish = definitionPublisher(client, { names: convertedDefinitions, service });
    expect(await publish(Buffer.from('another bundle').toString('base64'))).toBe('written');
    expect(await bundleOf(name)).toBe(own);
    await client.patch(kinds.customResourceDefinition, { name }, webhookOf(service.name, own));
  });

  it('need no bundle where they do not convert or do not exist', async () => {
    const publish = definitionPublisher(client, {
      names: ['nodeoverlays.karpenter.sh', 'nothing.example.com'],
      service,
    });
    expect(await publish('eA==')).toBe('unchanged');
  });

  it('get the next CA of the webhook before it signs', async () => {
    const before = await bundleOf(convertedDefinitions[0] ?? '');
    const holdsBoth = async () => {
      await clock.advance(durationMs(60_000));
      expect(webhook.caBundle).not.toBe(before);
      for (const name of convertedDefinitions) expect(await bundleOf(name)).toBe(webhook.caBundle);
    };
    await vi.waitFor(holdsBoth, { timeout: 50_000, interval: 1 });
    expect(pem(webhook.caBundle)).toContain(pem(before).trim());
  });
});
