import assert from 'node:assert/strict';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap } from '../objects.ts';
import type { ServerReply } from '../reply.ts';

function post(api: ConformanceApi, body: string | Buffer): Promise<ServerReply> {
  return api.request('POST', api.path('configmaps'), { body });
}

/** A rejected write leaves nothing behind, and the server continues to work. */
async function nothingStored(api: ConformanceApi): Promise<void> {
  const list = (await api.get(api.path('configmaps'))).expect(200);
  const names = list.list('items').map((item) => Object(item)['metadata']['name']);
  assert.deepEqual(
    names.filter((name) => name !== 'kube-root-ca.crt'),
    [],
  );
}

export const badInputCases = area('bad input', {
  'a body that is not JSON is a bad request': async (api) => {
    (await post(api, '{"apiVersion":')).expectFailure(400, 'BadRequest');
    await nothingStored(api);
  },
  'an empty body is a bad request': async (api) => {
    (await post(api, '')).expectFailure(400, 'BadRequest');
    await nothingStored(api);
  },
  'a list is a bad request': async (api) => {
    (await post(api, '[]')).expectFailure(400, 'BadRequest');
  },
  'a null body is rejected': async (api) => {
    const reply = await post(api, 'null');
    assert.ok(reply.status === 400 || reply.status === 422, reply.text);
    await nothingStored(api);
  },
  'an object without kind is a bad request or taken as the kind of the path': async (api) => {
    const reply = await post(api, '{"metadata":{"name":"a"}}');
    assert.ok(reply.status === 400 || reply.status === 201, reply.text);
  },
  'trailing data after the object is a bad request': async (api) => {
    (await post(api, `${JSON.stringify(configMap('a'))} {}`)).expectFailure(400, 'BadRequest');
    await nothingStored(api);
  },
  'a body with invalid UTF-8 does not break the server': async (api) => {
    const text = JSON.stringify(configMap('a', { data: { x: '@' } }));
    const [before = '', after = ''] = text.split('@');
    const reply = await post(
      api,
      Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]),
    );
    assert.ok(reply.status === 400 || reply.status === 201, reply.text);
    (await api.get('/readyz')).expect(200);
  },
  'metadata that is not an object is a bad request': async (api) => {
    (await post(api, '{"apiVersion":"v1","kind":"ConfigMap","metadata":"a"}')).expectFailure(
      400,
      'BadRequest',
    );
  },
  'a name that is not a string is a bad request': async (api) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":7}}';
    (await post(api, body)).expectFailure(400, 'BadRequest');
  },
  'a label value that is not a string is a bad request': async (api) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":true}}}';
    (await post(api, body)).expectFailure(400, 'BadRequest');
  },
  'an object that is nested too deeply is rejected': async (api) => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const reply = await post(
      api,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${deep}}`,
    );
    assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status}`);
    (await api.get('/readyz')).expect(200);
  },
  'a body that is too large is rejected': async (api) => {
    const body = JSON.stringify(configMap('a', { data: { x: 'y'.repeat(4 * 1024 * 1024) } }));
    (await post(api, body)).expectFailure(413, 'RequestEntityTooLarge');
    await nothingStored(api);
  },
  'a config map that is too large is invalid': async (api) => {
    const body = configMap('a', { data: { x: 'y'.repeat(1024 * 1024 + 1) } });
    const reply = await api.post(api.path('configmaps'), body);
    assert.ok(reply.status === 422 || reply.status === 413, reply.text.slice(0, 300));
  },
  'an unknown path is not found': async (api) => {
    assert.equal((await api.get('/nonsense')).status, 404);
    assert.equal((await api.get('/api/v9/pods')).status, 404);
    assert.equal((await api.get('/apis/apps/v9/deployments')).status, 404);
  },
  'a path with dot segments does not escape its resource': async (api) => {
    (await api.post(api.path('secrets'), { ...configMap('a'), kind: 'Secret' })).expect(201);
    for (const climb of ['..', '%2e%2e', '.%2e']) {
      const reply = await api.get(`${api.path('configmaps')}/${climb}/secrets/a`);
      assert.notEqual(reply.at('kind'), 'Secret', climb);
      assert.ok(reply.status < 500, `${reply.status}`);
    }
  },
  'a name with an encoded slash is not a path': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}/a%2Fstatus`);
    assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status}`);
  },
  'a path with an invalid escape is rejected': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}/%zz`);
    assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status}`);
  },
  'a method that does not fit the path is not allowed': async (api) => {
    (await api.put(api.path('configmaps'), configMap('a'))).expectFailure(405, 'MethodNotAllowed');
    (await api.patch('merge', api.path('configmaps'), {})).expectFailure(405, 'MethodNotAllowed');
    (await api.post(`${api.path('configmaps')}/a`, configMap('a'))).expectFailure(405, 'MethodNotAllowed');
  },
  'namespaced objects cannot be created without a namespace': async (api) => {
    const reply = await api.post('/api/v1/configmaps', configMap('a'));
    assert.ok(reply.status >= 400 && reply.status < 500, reply.text);
  },
  'a limit that is not a number is a bad request': async (api) => {
    (await api.get(`${api.path('configmaps')}?limit=many`)).expectFailure(400, 'BadRequest');
  },
  'a negative limit means no limit': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}?limit=-1`);
    assert.ok(reply.status === 200 || reply.status === 400, reply.text);
  },
  'a watch with a timeout that is not a number is a bad request': async (api) => {
    (await api.get(`${api.path('configmaps')}?watch=1&timeoutSeconds=soon`)).expectFailure(400, 'BadRequest');
  },
  'a watch from a resource version that is not a number is rejected': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}?watch=1&resourceVersion=abc`);
    assert.ok(reply.status === 400 || reply.status === 422 || reply.status === 500, reply.text);
    assert.equal(reply.at('kind'), 'Status');
  },
  'a dryRun value other than All is invalid': async (api) => {
    const reply = await api.post(`${api.path('configmaps')}?dryRun=Some`, configMap('a'));
    reply.expectInvalid('dryRun');
    await nothingStored(api);
  },
  'an unknown field validation directive is invalid': async (api) => {
    const reply = await api.post(`${api.path('configmaps')}?fieldValidation=Lax`, configMap('a'));
    reply.expectInvalid('fieldValidation');
    await nothingStored(api);
  },
  'a field manager that is too long is invalid': async (api) => {
    const path = `${api.path('configmaps')}?fieldManager=${'x'.repeat(129)}`;
    (await api.post(path, configMap('a'))).expectInvalid('fieldManager');
  },
  'a JSON patch that is not a list is a bad request': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    (await api.patch('json', `${api.path('configmaps')}/a`, { op: 'add' })).expectFailure(400, 'BadRequest');
  },
  'a JSON patch with an unknown operation is rejected': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const reply = await api.patch('json', `${api.path('configmaps')}/a`, [{ op: 'invent', path: '/data' }]);
    assert.ok(reply.status >= 400 && reply.status < 500, reply.text);
  },
  'a merge patch that is not an object is a bad request': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a`, { body: '7', headers });
    assert.ok(reply.status >= 400 && reply.status < 500, reply.text);
    (await api.get(`${api.path('configmaps')}/a`)).expect(200);
  },
  'delete options that are not JSON are a bad request': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const reply = await api.request('DELETE', `${api.path('configmaps')}/a`, { body: '{' });
    reply.expectFailure(400, 'BadRequest');
    (await api.get(`${api.path('configmaps')}/a`)).expect(200);
  },
  'headers that are too large are rejected': async (api) => {
    const reply = await api
      .get(api.path('configmaps'), { 'x-large': 'y'.repeat(2 * 1024 * 1024) })
      .catch(() => undefined);
    assert.ok(reply === undefined || reply.status >= 400, `${reply?.status}`);
    (await api.get('/readyz')).expect(200);
  },
});
