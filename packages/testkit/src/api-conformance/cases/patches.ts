import assert from 'node:assert/strict';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, deployment, pod } from '../objects.ts';

const maps = (api: ConformanceApi): string => `${api.path('configmaps')}/a`;
const workload = (api: ConformanceApi): string => `${api.path('deployments', 'apps/v1')}/a`;

async function mapWith(api: ConformanceApi, data: Record<string, string>): Promise<void> {
  (await api.post(api.path('configmaps'), configMap('a', { data }))).expect(201);
}

async function workloadWith(api: ConformanceApi, podSpec: object): Promise<void> {
  const body = deployment('a', {
    template: { metadata: { labels: { app: 'a' } }, spec: JSON.parse(JSON.stringify(podSpec)) },
  });
  (await api.post(api.path('deployments', 'apps/v1'), body)).expect(201);
}

const two = [
  { name: 'one', image: 'x:1' },
  { name: 'two', image: 'x:2' },
];

export const patchCases = area('patches', {
  'a merge patch adds, changes and removes': async (api) => {
    await mapWith(api, { keep: '1', change: '2', remove: '3' });
    const reply = await api.patch('merge', maps(api), { data: { change: 'two', remove: null, add: '4' } });
    assert.deepEqual(reply.expect(200).at('data'), { keep: '1', change: 'two', add: '4' });
  },
  'a merge patch replaces lists': async (api) => {
    await workloadWith(api, { containers: two });
    const patch = { spec: { template: { spec: { containers: [{ name: 'three', image: 'x:3' }] } } } };
    const reply = (await api.patch('merge', workload(api), patch)).expect(200);
    assert.deepEqual(reply.list('spec.template.spec.containers').length, 1);
  },
  'a JSON patch adds, replaces and removes': async (api) => {
    await mapWith(api, { a: '1', b: '2' });
    const reply = await api.patch('json', maps(api), [
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'replace', path: '/data/a', value: 'one' },
      { op: 'remove', path: '/data/b' },
    ]);
    assert.deepEqual(reply.expect(200).at('data'), { a: 'one', c: '3' });
  },
  'a JSON patch moves and copies': async (api) => {
    await mapWith(api, { a: '1', b: '2' });
    const reply = await api.patch('json', maps(api), [
      { op: 'move', from: '/data/a', path: '/data/moved' },
      { op: 'copy', from: '/data/b', path: '/data/copied' },
    ]);
    assert.deepEqual(reply.expect(200).at('data'), { b: '2', copied: '2', moved: '1' });
  },
  'a JSON patch with a successful test is applied': async (api) => {
    await mapWith(api, { a: '1' });
    const reply = await api.patch('json', maps(api), [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '2' },
    ]);
    assert.deepEqual(reply.expect(200).at('data'), { a: '2' });
  },
  'a JSON patch with a failed test changes nothing': async (api) => {
    await mapWith(api, { a: '1' });
    const reply = await api.patch('json', maps(api), [
      { op: 'replace', path: '/data/a', value: '2' },
      { op: 'test', path: '/data/a', value: '1' },
    ]);
    reply.expectFailure(422, 'Invalid');
    assert.deepEqual((await api.get(maps(api))).at('data'), { a: '1' });
  },
  'a JSON patch to a missing path is invalid': async (api) => {
    await mapWith(api, { a: '1' });
    (await api.patch('json', maps(api), [{ op: 'remove', path: '/data/nothing' }])).expectFailure(
      422,
      'Invalid',
    );
  },
  'a JSON patch supports escaped names': async (api) => {
    await mapWith(api, { a: '1' });
    const reply = await api.patch('json', maps(api), [
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: '/metadata/annotations/example.com~1x', value: 'z' },
    ]);
    assert.deepEqual(reply.expect(200).at('metadata.annotations'), { 'example.com/x': 'z' });
  },
  'a JSON patch appends to a list': async (api) => {
    await workloadWith(api, { containers: two });
    const path = '/spec/template/spec/containers/-';
    const reply = await api.patch('json', workload(api), [
      { op: 'add', path, value: { name: 'three', image: 'x:3' } },
    ]);
    assert.equal(reply.expect(200).at('spec.template.spec.containers.2.name'), 'three');
  },
  'a JSON patch that is not a list is a bad request': async (api) => {
    await mapWith(api, { a: '1' });
    (await api.patch('json', maps(api), { op: 'remove' })).expectFailure(400, 'BadRequest');
  },
  'a strategic merge patch merges containers by name': async (api) => {
    await workloadWith(api, { containers: two });
    const patch = { spec: { template: { spec: { containers: [{ name: 'two', image: 'x:22' }] } } } };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.equal(reply.at('spec.template.spec.containers.0.image'), 'x:1');
    assert.equal(reply.at('spec.template.spec.containers.1.image'), 'x:22');
  },
  'a strategic merge patch deletes an item by directive': async (api) => {
    await workloadWith(api, { containers: two });
    const patch = { spec: { template: { spec: { containers: [{ name: 'one', $patch: 'delete' }] } } } };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.equal(reply.list('spec.template.spec.containers').length, 1);
    assert.equal(reply.at('spec.template.spec.containers.0.name'), 'two');
  },
  'a strategic merge patch replaces a map by directive': async (api) => {
    await workloadWith(api, { containers: two, nodeSelector: { a: '1', b: '2' } });
    const patch = { spec: { template: { spec: { nodeSelector: { $patch: 'replace', c: '3' } } } } };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.deepEqual(reply.at('spec.template.spec.nodeSelector'), { c: '3' });
  },
  'a strategic merge patch orders items by setElementOrder': async (api) => {
    await workloadWith(api, { containers: two });
    const patch = {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
            containers: [{ name: 'one', image: 'x:11' }],
          },
        },
      },
    };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.equal(reply.at('spec.template.spec.containers.0.name'), 'two');
    assert.equal(reply.at('spec.template.spec.containers.1.image'), 'x:11');
  },
  'a strategic merge patch keeps only the keys of retainKeys': async (api) => {
    await workloadWith(api, { containers: two });
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.deepEqual(reply.at('spec.strategy'), { type: 'Recreate' });
  },
  'a strategic merge patch adds to existing finalizers': async (api) => {
    await api.post(
      api.path('configmaps'),
      configMap('a', { metadata: { name: 'a', finalizers: ['example.com/a'] } }),
    );
    const reply = await api.patch('strategic', maps(api), { metadata: { finalizers: ['example.com/b'] } });
    assert.deepEqual(reply.expect(200).list('metadata.finalizers').toSorted(), [
      'example.com/a',
      'example.com/b',
    ]);
    await api.patch('merge', maps(api), { metadata: { finalizers: null } });
  },
  'a strategic merge patch deletes from a list of plain values': async (api) => {
    const finalizers = ['example.com/a', 'example.com/b'];
    await api.post(api.path('configmaps'), configMap('a', { metadata: { name: 'a', finalizers } }));
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } };
    const reply = await api.patch('strategic', maps(api), patch);
    assert.deepEqual(reply.expect(200).at('metadata.finalizers'), ['example.com/b']);
    await api.patch('merge', maps(api), { metadata: { finalizers: null } });
  },
  'a strategic merge patch replaces tolerations as a whole': async (api) => {
    await workloadWith(api, { containers: two, tolerations: [{ key: 'a', operator: 'Exists' }] });
    const patch = { spec: { template: { spec: { tolerations: [{ key: 'b', operator: 'Exists' }] } } } };
    const reply = (await api.patch('strategic', workload(api), patch)).expect(200);
    assert.deepEqual(reply.at('spec.template.spec.tolerations'), [{ key: 'b', operator: 'Exists' }]);
  },
  'a strategic merge patch merges conditions by type': async (api) => {
    await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }));
    const status = `${api.path('pods')}/a/status`;
    await api.patch('strategic', status, { status: { conditions: [{ type: 'A', status: 'True' }] } });
    const reply = await api.patch('strategic', status, {
      status: { conditions: [{ type: 'B', status: 'False' }] },
    });
    assert.equal(reply.expect(200).list('status.conditions').length, 2);
  },
  'a patch of an unknown type is not supported': async (api) => {
    await mapWith(api, { a: '1' });
    const headers = { 'content-type': 'application/other-patch' };
    (await api.request('PATCH', maps(api), { body: {}, headers })).expectFailure(415, 'UnsupportedMediaType');
  },
  'a patch of a missing object is not found': async (api) => {
    (await api.patch('merge', maps(api), {})).expectFailure(404, 'NotFound');
  },
  'a patch with an old resource version is a conflict': async (api) => {
    await mapWith(api, { a: '1' });
    const patch = { metadata: { resourceVersion: '1' }, data: { a: '2' } };
    (await api.patch('merge', maps(api), patch)).expectFailure(409, 'Conflict');
  },
  'a patch that leads to an invalid object is invalid': async (api) => {
    await mapWith(api, { a: '1' });
    (await api.patch('merge', maps(api), { metadata: { labels: { 'a b': 'c' } } })).expectInvalid(
      'metadata.labels',
    );
  },
  'a patch that changes nothing keeps the version': async (api) => {
    await mapWith(api, { a: '1' });
    const before = await api.get(maps(api));
    const reply = (await api.patch('merge', maps(api), { data: { a: '1' } })).expect(200);
    assert.equal(reply.at('metadata.resourceVersion'), before.at('metadata.resourceVersion'));
  },
  'a patch cannot rename': async (api) => {
    await mapWith(api, { a: '1' });
    (await api.patch('merge', maps(api), { metadata: { name: 'b' } })).expectFailure(400, 'BadRequest');
  },
  'a patch with unknown fields warns': async (api) => {
    await mapWith(api, { a: '1' });
    const reply = (await api.patch('merge', maps(api), { dta: { x: '1' } })).expect(200);
    assert.match(String(reply.headers['warning']), /unknown field \\"dta\\"/);
  },
  'strict field validation rejects a patch with unknown fields': async (api) => {
    await mapWith(api, { a: '1' });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { dta: { x: '1' } };
    const reply = await api.request('PATCH', `${maps(api)}?fieldValidation=Strict`, { body, headers });
    reply.expectFailure(422, 'Invalid');
  },
});
