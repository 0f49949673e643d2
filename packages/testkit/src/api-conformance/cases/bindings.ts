import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, deployment, pod } from '../objects.ts';
import { type ServerReply, valueAt } from '../reply.ts';

/** Names a scheduler that does not exist, so that only the case binds the pod. */
const unscheduled = { schedulerName: 'nobody' };

function bind(
  api: ConformanceApi,
  name: string,
  node: string,
  metadata: JsonObject = {},
): Promise<ServerReply> {
  return api.post(`${api.path('pods')}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...metadata },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  });
}

async function createPod(api: ConformanceApi, fields: JsonObject = {}): Promise<string> {
  (await api.post(api.path('pods'), { ...pod('a', unscheduled), ...fields })).expect(201);
  return `${api.path('pods')}/a`;
}

function token(api: ConformanceApi, spec: JsonObject, account = 'robot'): Promise<ServerReply> {
  return api.post(`${api.path('serviceaccounts')}/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
}

async function createAccount(api: ConformanceApi): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  (await api.post(api.path('serviceaccounts'), account)).expect(201);
}

export const bindingCases = area('subresources', {
  'a binding sets the node of a pod and its PodScheduled condition': async (api) => {
    const path = await createPod(api);
    const reply = (await bind(api, 'a', 'somewhere')).expect(201);
    assert.equal(reply.at('kind'), 'Status');
    assert.equal(reply.at('status'), 'Success');
    const read = await api.get(path);
    assert.equal(read.at('spec.nodeName'), 'somewhere');
    const scheduled = read
      .list('status.conditions')
      .find((condition) => valueAt(condition, 'type') === 'PodScheduled');
    assert.equal(valueAt(scheduled, 'status'), 'True');
  },
  'a pod can be bound only once': async (api) => {
    const path = await createPod(api);
    (await bind(api, 'a', 'somewhere')).expect(201);
    const reply = (await bind(api, 'a', 'elsewhere')).expectFailure(409, 'Conflict');
    assert.match(String(reply.at('message')), /pod a is already assigned to node "somewhere"/);
    assert.equal((await api.get(path)).at('spec.nodeName'), 'somewhere');
  },
  'annotations of a binding are copied to the pod': async (api) => {
    const path = await createPod(api);
    (await bind(api, 'a', 'somewhere', { annotations: { 'example.com/why': 'room' } })).expect(201);
    assert.equal(valueAt((await api.get(path)).at('metadata.annotations'), 'example'), undefined);
    assert.deepEqual((await api.get(path)).at('metadata.annotations'), { 'example.com/why': 'room' });
  },
  'a pod that is being deleted is not bound': async (api) => {
    const path = await createPod(api, { metadata: { name: 'a', finalizers: ['example.com/wait'] } });
    await api.delete(path);
    const reply = (await bind(api, 'a', 'somewhere')).expectFailure(409, 'Conflict');
    assert.match(String(reply.at('message')), /pod a is being deleted, cannot be assigned to a host/);
    await api.patch('merge', path, { metadata: { finalizers: null } });
  },
  'a gated pod cannot be bound': async (api) => {
    const spec = { ...unscheduled, schedulingGates: [{ name: 'example.com/wait' }] };
    (await api.post(api.path('pods'), pod('a', spec))).expect(201);
    (await bind(api, 'a', 'somewhere')).expectFailure(409, 'Conflict');
  },
  'a pod that does not exist is not bound': async (api) => {
    (await bind(api, 'absent', 'somewhere')).expectFailure(404, 'NotFound');
  },
  'a binding without a target is rejected': async (api) => {
    await createPod(api);
    const reply = await bind(api, 'a', '');
    assert.equal(reply.expect(500).at('message'), 'target.name: Required value');
  },
  'a binding to anything but a node is rejected': async (api) => {
    await createPod(api);
    const reply = await api.post(`${api.path('pods')}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { apiVersion: 'v1', kind: 'Pod', name: 'x' },
    });
    assert.match(String(reply.expect(500).at('message')), /^target.kind: Unsupported value: "Pod"/);
  },
  'a dry run of a binding leaves the pod without a node': async (api) => {
    const path = await createPod(api);
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'somewhere' },
    };
    (await api.post(`${path}/binding?dryRun=All`, binding)).expect(201);
    assert.equal((await api.get(path)).at('spec.nodeName'), undefined);
  },
});

export const accountTokenCases = area('subresources', {
  'a service account gets a token with an expiry': async (api) => {
    await createAccount(api);
    const reply = (await token(api, { expirationSeconds: 3600 })).expect(201);
    assert.equal(reply.at('kind'), 'TokenRequest');
    assert.match(String(reply.at('status.token')), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.match(String(reply.at('status.expirationTimestamp')), /^\d{4}-\d\d-\d\dT/);
    assert.equal(reply.at('spec.expirationSeconds'), 3600);
  },
  'a token lasts an hour by default': async (api) => {
    await createAccount(api);
    const reply = (await token(api, {})).expect(201);
    assert.equal(reply.at('spec.expirationSeconds'), 3600);
    assert.deepEqual(reply.at('spec.audiences'), ['https://kubernetes.default.svc']);
  },
  'a token for less than ten minutes is invalid': async (api) => {
    await createAccount(api);
    (await token(api, { expirationSeconds: 60 })).expectInvalid('spec.expirationSeconds');
  },
  'a token for a missing service account is not found': async (api) => {
    (await token(api, {}, 'absent')).expectFailure(404, 'NotFound');
  },
});

export const statusCases = area('subresources', {
  'a write to the status keeps spec and labels': async (api) => {
    const path = `${api.path('deployments', 'apps/v1')}/a`;
    await api.post(api.path('deployments', 'apps/v1'), deployment('a', { paused: true }));
    const patch = { spec: { replicas: 9 }, status: { observedGeneration: 1 } };
    (await api.patch('merge', `${path}/status`, patch)).expect(200);
    assert.equal((await api.get(path)).at('spec.replicas'), 0);
  },
  'a write to the status does not increase the generation': async (api) => {
    const path = `${api.path('pods')}/a`;
    (await api.post(api.path('pods'), pod('a', unscheduled))).expect(201);
    await api.patch('merge', `${path}/status`, { status: { message: 'hello' } });
    const read = await api.get(path);
    assert.equal(read.at('status.message'), 'hello');
    assert.equal(read.at('metadata.generation'), 1);
  },
  'the status is read through its own path': async (api) => {
    (await api.post(api.path('pods'), pod('a', unscheduled))).expect(201);
    const read = (await api.get(`${api.path('pods')}/a/status`)).expect(200);
    assert.equal(read.at('kind'), 'Pod');
    assert.equal(read.at('status.phase'), 'Pending');
  },
  'a kind without status has no status subresource': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    (await api.get(`${api.path('configmaps')}/a/status`)).expectFailure(404, 'NotFound');
    assert.equal((await api.put(`${api.path('configmaps')}/a/status`, configMap('a'))).status, 404);
  },
  'the status subresource allows neither create nor delete': async (api) => {
    (await api.post(api.path('pods'), pod('a', unscheduled))).expect(201);
    (await api.post(`${api.path('pods')}/a/status`, pod('a'))).expectFailure(405, 'MethodNotAllowed');
    (await api.delete(`${api.path('pods')}/a/status`)).expectFailure(405, 'MethodNotAllowed');
  },
  'the log of a pod that does not exist is not found': async (api) => {
    (await api.get(`${api.path('pods')}/absent/log`)).expectFailure(404, 'NotFound');
  },
  'the log of an unbound pod is empty or rejected': async (api) => {
    (await api.post(api.path('pods'), pod('a', unscheduled))).expect(201);
    const reply = await api.get(`${api.path('pods')}/a/log`);
    assert.ok(reply.text === '' || reply.at('kind') === 'Status', reply.text);
  },
  'an unknown subresource is not found': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    (await api.get(`${api.path('configmaps')}/a/nonsense`)).expectFailure(404, 'NotFound');
  },
});
