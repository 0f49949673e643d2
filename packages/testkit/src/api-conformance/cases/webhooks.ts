import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import { type AdmissionHandler, type AdmissionRequest, startWebhookServer } from '@karpenter/kube/webhooks';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap } from '../objects.ts';
import { eventually } from '../patience.ts';

const root = '/apis/admissionregistration.k8s.io/v1';

interface Hook {
  readonly kind: 'Validating' | 'Mutating';
  readonly answer: AdmissionHandler;
  /** Fields of the webhook in its configuration. */
  readonly fields?: JsonObject;
  /** Replaces the CA of the webhook server. */
  readonly url?: string;
}

/** A webhook for ConfigMaps in the namespace of the case, in effect while `use` runs. */
async function withWebhook(api: ConformanceApi, hook: Hook, use: () => Promise<void>): Promise<void> {
  const server = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    names: ['127.0.0.1'],
    admission: { '/': hook.answer, '/probe': deny },
  });
  const path = `${root}/${hook.kind.toLowerCase()}webhookconfigurations`;
  const base = {
    name: 'hook.example.com',
    clientConfig: { url: hook.url ?? `https://127.0.0.1:${server.port}/`, caBundle: server.caBundle },
    objectSelector: { matchExpressions: [{ key: 'probe', operator: 'DoesNotExist' }] },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': api.namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${hook.kind}WebhookConfiguration`,
    metadata: { name: api.namespace },
    webhooks: [
      {
        ...base,
        name: 'probe.example.com',
        clientConfig: { ...base.clientConfig, url: `https://127.0.0.1:${server.port}/probe` },
        objectSelector: { matchLabels: { probe: 'true' } },
      },
      { ...base, ...hook.fields },
    ],
  };
  try {
    (await api.post(path, configuration)).expect(201);
    // The configuration is in effect once the server rejects the probe.
    const labels = { probe: 'true' };
    const probe = configMap('probe', { metadata: { name: 'probe', labels } });
    await eventually(async () =>
      assert.equal((await api.post(`${api.path('configmaps')}?dryRun=All`, probe)).status, 403),
    );
    await use();
  } finally {
    await api.delete(`${path}/${api.namespace}`);
    await server.close();
  }
}

const deny: AdmissionHandler = () => ({ allowed: false, message: 'not today' });
const allow: AdmissionHandler = () => ({ allowed: true });

export const webhookCases = area('webhooks', {
  'a webhook rejects with its message': async (api) => {
    await withWebhook(api, { kind: 'Validating', answer: deny }, async () => {
      const reply = await api.post(api.path('configmaps'), configMap('a'));
      reply.expect(403);
      assert.equal(reply.at('message'), 'admission webhook "hook.example.com" denied the request: not today');
      (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
    });
  },
  'a webhook can reject with its own status code': async (api) => {
    const answer: AdmissionHandler = () => ({ allowed: false, message: 'full', code: 429 });
    await withWebhook(api, { kind: 'Validating', answer }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(429);
    });
  },
  'a webhook receives the operation and the objects': async (api) => {
    // The last request of each operation: kube-apiserver calls webhooks again when its cache was stale.
    const requests = new Map<string, AdmissionRequest>();
    const answer: AdmissionHandler = (request) => {
      if (request.name === 'a') requests.set(request.operation, request);
      return { allowed: true };
    };
    await withWebhook(api, { kind: 'Validating', answer }, async () => {
      const path = `${api.path('configmaps')}/a`;
      (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(201);
      (await api.patch('merge', path, { data: { x: '2' } })).expect(200);
      (await api.delete(path)).expect(200);
    });
    assert.deepEqual([...requests.keys()], ['CREATE', 'UPDATE', 'DELETE']);
    const [created, updated, deleted] = requests.values();
    assert.equal(created?.namespace, api.namespace);
    assert.equal(created?.oldObject ?? null, null);
    assert.deepEqual(Object(updated?.oldObject)['data'], { x: '1' });
    assert.deepEqual(Object(updated?.object)['data'], { x: '2' });
    assert.deepEqual(Object(deleted?.oldObject)['data'], { x: '2' });
    assert.ok((created?.userInfo?.groups ?? []).includes('system:authenticated'));
  },
  'a webhook receives the dryRun flag': async (api) => {
    let isDryRun: boolean | undefined;
    const answer: AdmissionHandler = (request) => {
      if (request.name === 'a') isDryRun = request.dryRun;
      return { allowed: true };
    };
    await withWebhook(api, { kind: 'Validating', answer }, async () => {
      (await api.post(`${api.path('configmaps')}?dryRun=All`, configMap('a'))).expect(201);
      assert.equal(isDryRun, true);
    });
  },
  'warnings of a webhook reach the client': async (api) => {
    const answer: AdmissionHandler = () => ({ allowed: true, warnings: ['careful'] });
    await withWebhook(api, { kind: 'Validating', answer }, async () => {
      const reply = (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
      assert.match(reply.headers['warning'] ?? '', /careful/);
    });
  },
  'a mutating webhook changes the stored object': async (api) => {
    const answer: AdmissionHandler = () => ({
      allowed: true,
      patch: [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }],
    });
    await withWebhook(api, { kind: 'Mutating', answer }, async () => {
      const created = (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
      assert.deepEqual(created.at('metadata.labels'), { seen: 'yes' });
      assert.deepEqual((await api.get(`${api.path('configmaps')}/a`)).at('metadata.labels'), { seen: 'yes' });
    });
  },
  'the object is validated after mutation': async (api) => {
    const answer: AdmissionHandler = () => ({
      allowed: true,
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'a b': 'x' } }],
    });
    await withWebhook(api, { kind: 'Mutating', answer }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expectInvalid('metadata.labels');
    });
  },
  'a mutating webhook can reject too': async (api) => {
    await withWebhook(api, { kind: 'Mutating', answer: deny }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(403);
    });
  },
  'a webhook is called for objects that its object selector matches': async (api) => {
    const fields = { objectSelector: { matchLabels: { watched: 'yes' } } };
    await withWebhook(api, { kind: 'Validating', answer: deny, fields }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
      const labels = { watched: 'yes' };
      const metadata = { name: 'b', labels };
      (await api.post(api.path('configmaps'), configMap('b', { metadata }))).expect(403);
    });
  },
  'a webhook is called for namespaces that its namespace selector matches': async (api) => {
    const fields = { namespaceSelector: { matchLabels: { watched: 'yes' } } };
    await withWebhook(api, { kind: 'Validating', answer: deny, fields }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    });
  },
  'a webhook is called for the operations of its rules': async (api) => {
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] },
    ];
    await withWebhook(api, { kind: 'Validating', answer: deny, fields: { rules } }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
      (await api.delete(`${api.path('configmaps')}/a`)).expect(403);
    });
  },
  'a webhook is called if its match conditions hold': async (api) => {
    const matchConditions = [{ name: 'only-b', expression: 'object.metadata.name == "b"' }];
    await withWebhook(api, { kind: 'Validating', answer: deny, fields: { matchConditions } }, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
      (await api.post(api.path('configmaps'), configMap('b'))).expect(403);
    });
  },
  'an unreachable webhook rejects the request': async (api) => {
    const hook: Hook = { kind: 'Validating', answer: allow, url: 'https://127.0.0.1:9/' };
    await withWebhook(api, hook, async () => {
      const reply = (await api.post(api.path('configmaps'), configMap('a'))).expectFailure(
        500,
        'InternalError',
      );
      assert.match(String(reply.at('message')), /failed calling webhook "hook.example.com"/);
    });
  },
  'an unreachable webhook with failure policy Ignore is skipped': async (api) => {
    const fields = { failurePolicy: 'Ignore' };
    const hook: Hook = { kind: 'Validating', answer: allow, fields, url: 'https://127.0.0.1:9/' };
    await withWebhook(api, hook, async () => {
      (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    });
  },
  'a webhook that times out rejects the request': async (api) => {
    const release = new AbortController();
    const answer: AdmissionHandler = ({ name }) =>
      name === 'a'
        ? new Promise((resolve) => {
            release.signal.addEventListener('abort', () => resolve({ allowed: true }));
          })
        : { allowed: true };
    await withWebhook(api, { kind: 'Validating', answer, fields: { timeoutSeconds: 1 } }, async () => {
      const reply = (await api.post(api.path('configmaps'), configMap('a'))).expectFailure(
        500,
        'InternalError',
      );
      release.abort();
      assert.match(String(reply.at('message')), /context deadline exceeded/);
    });
  },
  'a webhook configuration gets its defaults': async (api) => {
    await withWebhook(api, { kind: 'Validating', answer: allow }, async () => {
      const read = await api.get(`${root}/validatingwebhookconfigurations/${api.namespace}`);
      assert.equal(read.at('webhooks.1.failurePolicy'), 'Fail');
      assert.equal(read.at('webhooks.1.timeoutSeconds'), 10);
      assert.equal(read.at('webhooks.1.matchPolicy'), 'Equivalent');
      assert.equal(read.at('webhooks.1.rules.0.scope'), '*');
    });
  },
});
