import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { area } from '../conformance-case.ts';
import { configMap, pod } from '../objects.ts';

const big = 'x'.repeat(200_000);

export const encodingCases = area('encoding', {
  'large responses are compressed for clients that accept gzip': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { big } }))).expect(201);
    const reply = await api.get(`${api.path('configmaps')}/a`, { 'accept-encoding': 'gzip' });
    assert.equal(reply.expect(200).headers['content-encoding'], 'gzip');
    assert.equal(JSON.parse(gunzipSync(reply.bytes).toString('utf8')).data.big, big);
  },
  'large responses are not compressed for other clients': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { big } }))).expect(201);
    const reply = (await api.get(`${api.path('configmaps')}/a`)).expect(200);
    assert.equal(reply.headers['content-encoding'], undefined);
  },
  'replies are JSON': async (api) => {
    const reply = (await api.get(api.path('configmaps'))).expect(200);
    assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
  },
  'a client that accepts anything gets JSON': async (api) => {
    const reply = (await api.get(api.path('configmaps'), { accept: '*/*' })).expect(200);
    assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
  },
  'a client that lists JSON beside an unsupported type gets JSON': async (api) => {
    const accept = 'application/example;q=0.9,application/json';
    const reply = (await api.get(api.path('configmaps'), { accept })).expect(200);
    assert.equal(reply.at('kind'), 'ConfigMapList');
  },
  'an unsupported media type in Accept is not acceptable': async (api) => {
    (await api.get(api.path('configmaps'), { accept: 'image/png' })).expectFailure(406, 'NotAcceptable');
  },
  'a body with an unsupported media type is rejected': async (api) => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await api.request('POST', api.path('configmaps'), { body: configMap('a'), headers });
    reply.expectFailure(415, 'UnsupportedMediaType');
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'a patch with an unsupported media type is rejected': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const headers = { 'content-type': 'application/json' };
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a`, { body: {}, headers });
    reply.expectFailure(415, 'UnsupportedMediaType');
  },
  'a body may be YAML': async (api) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n';
    const headers = { 'content-type': 'application/yaml' };
    const reply = await api.request('POST', api.path('configmaps'), { body, headers });
    assert.deepEqual(reply.expect(201).at('data'), { x: '1' });
  },
  'a media type may have parameters': async (api) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const reply = await api.request('POST', api.path('configmaps'), { body: configMap('a'), headers });
    reply.expect(201);
  },
  'unknown fields return a warning': async (api) => {
    const body = { ...configMap('a'), dta: { x: '1' } };
    const reply = (await api.post(api.path('configmaps'), body)).expect(201);
    assert.equal(reply.headers['warning'], '299 - "unknown field \\"dta\\""');
  },
  'unknown fields return no warning when validation is ignored': async (api) => {
    const body = { ...configMap('a'), dta: { x: '1' } };
    const reply = (await api.post(`${api.path('configmaps')}?fieldValidation=Ignore`, body)).expect(201);
    assert.equal(reply.headers['warning'], undefined);
  },
  'non-ASCII text is preserved': async (api) => {
    const data = { x: 'Grüße, 世界 🌍  ' };
    (await api.post(api.path('configmaps'), configMap('a', { data }))).expect(201);
    assert.deepEqual((await api.get(`${api.path('configmaps')}/a`)).at('data'), data);
  },
  'integers stay exact': async (api) => {
    const body = pod('a', { schedulerName: 'nobody', terminationGracePeriodSeconds: 9007199254740991 });
    const created = (await api.post(api.path('pods'), body)).expect(201);
    assert.equal(created.at('spec.terminationGracePeriodSeconds'), 9007199254740991);
  },
  'responses must not be cached': async (api) => {
    const reply = (await api.get(api.path('configmaps'))).expect(200);
    assert.match(reply.headers['cache-control'] ?? '', /no-cache, private/);
  },
  'a HEAD response has no body': async (api) => {
    const reply = await api.request('HEAD', api.path('configmaps'));
    assert.equal(reply.text, '');
    assert.ok(reply.status < 500);
  },
  'OPTIONS is not allowed on objects': async (api) => {
    (await api.request('OPTIONS', api.path('configmaps'))).expectFailure(405, 'MethodNotAllowed');
  },
});
