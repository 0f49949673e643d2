import type { JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { type ServerExchange, startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const namespaces = '/api/v1/namespaces';

function configuration(clientConfig: JsonObject, rule: JsonObject, fields: JsonObject): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'strict' },
    webhooks: [
      {
        name: 'strict.example.com',
        clientConfig,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], ...rule }],
        ...fields,
      },
    ],
  };
}

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

describe('an admission webhook that misbehaves', () => {
  let clock: VirtualClock;
  let server: ApiServer;
  let api: ConformanceApi;
  let errors: unknown[];
  let hook: TestHttpServer;
  let answer: (exchange: ServerExchange) => void | Promise<void>;

  beforeEach(async () => {
    clock = new VirtualClock();
    errors = [];
    hook = await startHttpServer((exchange) => answer(exchange), { protocol: 'https' });
    server = await startApiServer({ clock, onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'default');
  });

  afterEach(async () => {
    api.close();
    await server.stop();
    await hook.close();
  });

  async function install(url: string, rule: JsonObject, fields: JsonObject = {}): Promise<void> {
    const caBundle = Buffer.from(hook.authority.cert).toString('base64');
    (await api.post(configurations, configuration({ url, caBundle }, rule, fields))).expect(201);
  }

  /** Retries until the check passes, and advances time for callers that wait before they retry. */
  async function inTime(isDone: () => Promise<boolean>): Promise<void> {
    while (!(await isDone())) await clock.advance(1_000);
  }

  it('delays certificates and service account of a new namespace until it is removed', async () => {
    await install('https://127.0.0.1:9/', {
      operations: ['CREATE'],
      resources: ['configmaps', 'serviceaccounts'],
    });
    (await api.post(namespaces, namespace('young'))).expect(201);
    await inTime(async () => errors.length >= 4);
    expect(String(errors[0])).toContain('failed calling webhook "strict.example.com"');
    (await api.get(`${namespaces}/young/configmaps/kube-root-ca.crt`)).expect(404);
    (await api.delete(`${configurations}/strict`)).expect(200);
    for (const path of ['configmaps/kube-root-ca.crt', 'serviceaccounts/default'])
      await inTime(async () => (await api.get(`${namespaces}/young/${path}`)).status === 200);
  });

  it('delays the deletion of a namespace until it is removed', async () => {
    (await api.post(namespaces, namespace('old'))).expect(201);
    await inTime(async () => (await api.get(`${namespaces}/old/configmaps/kube-root-ca.crt`)).status === 200);
    await install('https://127.0.0.1:9/', { operations: ['DELETE'], resources: ['configmaps'] });
    (await api.delete(`${namespaces}/old`)).expect(200);
    await inTime(async () => errors.length >= 2);
    (await api.get(`${namespaces}/old`)).expect(200);
    (await api.delete(`${configurations}/strict`)).expect(200);
    await inTime(async () => (await api.get(`${namespaces}/old`)).status === 404);
  });

  it('delays garbage collection of dependents until it is removed', async () => {
    const configMaps = api.path('configmaps');
    const configMap = (name: string, more: JsonObject = {}) =>
      api.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more } });
    const uid = String((await configMap('owner')).expect(201).at('metadata.uid'));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    (await configMap('owned', { ownerReferences, labels: { held: 'yes' } })).expect(201);
    const objectSelector = { matchLabels: { held: 'yes' } };
    await install(
      'https://127.0.0.1:9/',
      { operations: ['DELETE'], resources: ['configmaps'] },
      { objectSelector },
    );
    (await api.delete(`${configMaps}/owner`)).expect(200);
    await inTime(async () => errors.length >= 2);
    (await api.get(`${configMaps}/owned`)).expect(200);
    (await api.delete(`${configurations}/strict`)).expect(200);
    await inTime(async () => (await api.get(`${configMaps}/owned`)).status === 404);
  });

  it.each([
    ['text', 'garbage'],
    ['half a JSON', '{"response":'],
    ['null', 'null'],
    ['another uid', '{"response":{"uid":"x","allowed":true}}'],
    ['no response', '{}'],
  ])('rejects with a Status (%s)', async (_, body) => {
    answer = (exchange) => {
      exchange.start(200, { 'content-type': 'application/json' });
      exchange.end(body);
    };
    await install(hook.url, { operations: ['CREATE'], resources: ['configmaps'] });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const reply = (await api.post(api.path('configmaps'), object)).expectFailure(500, 'InternalError');
    expect(reply.at('message')).toContain('failed calling webhook "strict.example.com"');
    (await api.get(`${api.path('configmaps')}/a`)).expect(404);
  });

  it.each([999, 42, 400.5, -1, 1e9])('rejects with a valid status code (%d)', async (code) => {
    answer = async (exchange) => {
      const { uid } = JSON.parse(await exchange.body()).request;
      exchange.start(200, { 'content-type': 'application/json' });
      exchange.end(JSON.stringify({ response: { uid, allowed: false, status: { code, message: 'no' } } }));
    };
    await install(hook.url, { operations: ['CREATE'], resources: ['configmaps'] });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    (await api.post(api.path('configmaps'), object)).expectFailure(403, 'Forbidden');
  });
});
