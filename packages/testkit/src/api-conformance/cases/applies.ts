import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, deployment } from '../objects.ts';
import { type ServerReply, valueAt } from '../reply.ts';

async function apply(
  api: ConformanceApi,
  manager: string,
  object: JsonObject,
  more = '',
): Promise<ServerReply> {
  const name = String(valueAt(object, 'metadata.name'));
  const plural =
    object['kind'] === 'Deployment' ? api.path('deployments', 'apps/v1') : api.path('configmaps');
  return api.request('PATCH', `${plural}/${name}?fieldManager=${manager}${more}`, {
    body: object,
    headers: { 'content-type': 'application/apply-patch+yaml' },
  });
}

function owners(reply: ServerReply): Record<string, unknown> {
  const entries = reply
    .list('metadata.managedFields')
    .map((entry): [string, unknown] => [
      `${valueAt(entry, 'manager')} ${valueAt(entry, 'operation')}`,
      valueAt(entry, 'fieldsV1'),
    ]);
  return Object.fromEntries(entries);
}

const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'x:1', ...more });

function workload(containers: readonly JsonObject[], replicas?: number): JsonObject {
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers } };
  const { spec, ...rest } = deployment('a', { template });
  const { replicas: _replicas, ...others } = spec as JsonObject;
  return { ...rest, spec: replicas === undefined ? others : { ...others, replicas } };
}

export const applyCases = area('applies', {
  'an apply creates a missing object': async (api) => {
    const reply = (await apply(api, 'one', configMap('a', { data: { x: '1' } }))).expect(201);
    assert.deepEqual(owners(reply), { 'one Apply': { 'f:data': { 'f:x': {} } } });
  },
  'a repeated apply changes nothing': async (api) => {
    const first = await apply(api, 'one', configMap('a', { data: { x: '1' } }));
    const again = (await apply(api, 'one', configMap('a', { data: { x: '1' } }))).expect(200);
    assert.equal(again.at('metadata.resourceVersion'), first.at('metadata.resourceVersion'));
  },
  'a field that is no longer applied is removed': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1', y: '2' } }));
    const reply = (await apply(api, 'one', configMap('a', { data: { x: '1' } }))).expect(200);
    assert.deepEqual(reply.at('data'), { x: '1' });
  },
  'a field that another manager owns too stays': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1', y: '2' } }));
    await apply(api, 'two', configMap('a', { data: { y: '2' } }));
    const reply = (await apply(api, 'one', configMap('a', { data: { x: '1' } }))).expect(200);
    assert.deepEqual(reply.at('data'), { x: '1', y: '2' });
    assert.deepEqual(owners(reply), {
      'one Apply': { 'f:data': { 'f:x': {} } },
      'two Apply': { 'f:data': { 'f:y': {} } },
    });
  },
  'another value for a field of another manager is a conflict': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1' } }));
    const reply = (await apply(api, 'two', configMap('a', { data: { x: '2' } }))).expectFailure(
      409,
      'Conflict',
    );
    assert.equal(reply.at('message'), 'Apply failed with 1 conflict: conflict with "one": .data.x');
    assert.deepEqual(reply.at('details.causes'), [
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
    ]);
  },
  'several conflicts are all named': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1', y: '1' } }));
    const reply = await apply(api, 'two', configMap('a', { data: { x: '2', y: '2' } }));
    reply.expectFailure(409, 'Conflict');
    assert.match(
      String(reply.at('message')),
      /^Apply failed with 2 conflicts: conflicts with "one":\n- \.data\.x\n- \.data\.y$/,
    );
  },
  'force takes a field over': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1', y: '1' } }));
    const reply = (await apply(api, 'two', configMap('a', { data: { x: '2' } }), '&force=true')).expect(200);
    assert.deepEqual(reply.at('data'), { x: '2', y: '1' });
    assert.deepEqual(owners(reply), {
      'one Apply': { 'f:data': { 'f:y': {} } },
      'two Apply': { 'f:data': { 'f:x': {} } },
    });
  },
  'an update takes ownership of a field without a conflict': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1' } }));
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a?fieldManager=two`, {
      body: { data: { x: '2' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.deepEqual(owners(reply.expect(200)), { 'two Update': { 'f:data': { 'f:x': {} } } });
  },
  'a conflict with an updater contains the time of its write': async (api) => {
    await api.request('POST', `${api.path('configmaps')}?fieldManager=writer`, {
      body: configMap('a', { data: { x: '1' } }),
    });
    const reply = (await apply(api, 'two', configMap('a', { data: { x: '2' } }))).expectFailure(
      409,
      'Conflict',
    );
    assert.match(
      String(reply.at('message')),
      /^Apply failed with 1 conflict: conflict with "writer" using v1: \.data\.x$/,
    );
  },
  'the same value from two managers is shared': async (api) => {
    await apply(api, 'one', configMap('a', { data: { x: '1' } }));
    const reply = (await apply(api, 'two', configMap('a', { data: { x: '1' } }))).expect(200);
    assert.deepEqual(owners(reply), {
      'one Apply': { 'f:data': { 'f:x': {} } },
      'two Apply': { 'f:data': { 'f:x': {} } },
    });
  },
  'an apply needs a manager': async (api) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a`, {
      body: configMap('a'),
      headers,
    });
    reply.expectInvalid('fieldManager');
  },
  'an apply of another kind is a bad request': async (api) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a?fieldManager=x`, { body, headers });
    reply.expectFailure(400, 'BadRequest');
  },
  'an apply may not contain managed fields': async (api) => {
    const body = configMap('a', { metadata: { name: 'a', managedFields: [] } });
    await apply(api, 'one', configMap('a'));
    const entry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {},
    };
    const reply = await apply(api, 'one', { ...body, metadata: { name: 'a', managedFields: [entry] } });
    reply.expectFailure(400, 'BadRequest');
    assert.match(String(reply.at('message')), /metadata.managedFields must be nil/);
  },
  'YAML can be applied': async (api) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: "1"\n';
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a?fieldManager=x`, { body, headers });
    assert.deepEqual(reply.expect(201).at('data'), { x: '1' });
  },
  'containers of two managers coexist': async (api) => {
    (await apply(api, 'one', workload([container('a')]))).expect(201);
    const reply = (await apply(api, 'two', workload([container('b')]))).expect(200);
    assert.equal(reply.list('spec.template.spec.containers').length, 2);
    const again = (await apply(api, 'one', workload([container('c')]))).expect(200);
    const names = again.list('spec.template.spec.containers').map((each) => valueAt(each, 'name'));
    assert.deepEqual(names.toSorted(), ['b', 'c']);
  },
  'replicas that no manager applies are left to updaters': async (api) => {
    (await apply(api, 'one', workload([container('a')]))).expect(201);
    await api.patch('merge', `${api.path('deployments', 'apps/v1')}/a/scale`, { spec: { replicas: 0 } });
    const reply = (await apply(api, 'one', workload([container('a', { image: 'x:2' })]))).expect(200);
    assert.equal(reply.at('spec.replicas'), 0);
  },
  'items of a map list are owned by their keys': async (api) => {
    const ports = [{ containerPort: 80 }];
    const reply = (await apply(api, 'one', workload([container('a', { ports })]))).expect(201);
    const fields = JSON.stringify(owners(reply)['one Apply']);
    assert.ok(fields.includes('"k:{\\"name\\":\\"a\\"}"'), fields);
    assert.ok(fields.includes('"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}"'), fields);
  },
  'a dry run of an apply stores nothing': async (api) => {
    (await apply(api, 'one', configMap('a', { data: { x: '1' } }), '&dryRun=All')).expect(201);
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'an apply with unknown fields fails': async (api) => {
    const reply = await apply(api, 'one', configMap('a', { dta: { x: '1' } }));
    // kube-apiserver calls this an internal error, the embedded server an error of the client.
    assert.ok([400, 500].includes(reply.status));
    assert.match(String(reply.at('message')), /\.dta: field not declared in schema/);
  },
  'an apply to the status owns the status': async (api) => {
    (await apply(api, 'one', workload([container('a')], 0))).expect(201);
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      status: { observedGeneration: 1 },
    };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const path = `${api.path('deployments', 'apps/v1')}/a/status?fieldManager=status&force=true`;
    const reply = (await api.request('PATCH', path, { body, headers })).expect(200);
    assert.deepEqual(owners(reply)['status Apply'], { 'f:status': { 'f:observedGeneration': {} } });
  },
});
