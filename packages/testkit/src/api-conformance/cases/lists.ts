import assert from 'node:assert/strict';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, labelled } from '../objects.ts';
import { type ServerReply, valueAt } from '../reply.ts';

function names(reply: ServerReply): readonly string[] {
  return reply.list('items').map((item) => String(valueAt(item, 'metadata.name')));
}

async function createAll(api: ConformanceApi, ...wanted: readonly string[]): Promise<void> {
  for (const name of wanted) (await api.post(api.path('configmaps'), configMap(name))).expect(201);
}

/** Servers may create objects of their own in every namespace. */
const own = 'labelSelector=test';

async function createLabelled(api: ConformanceApi): Promise<void> {
  const maps = [
    labelled('a', { test: 'x', tier: 'web' }),
    labelled('b', { test: 'y' }),
    labelled('c', { test: 'z', tier: 'db' }),
  ];
  for (const map of maps) (await api.post(api.path('configmaps'), map)).expect(201);
}

async function selected(api: ConformanceApi, selector: string): Promise<readonly string[]> {
  const reply = await api.get(`${api.path('configmaps')}?labelSelector=${encodeURIComponent(selector)}`);
  return names(reply.expect(200)).filter((name) => name.length === 1);
}

export const listCases = area('lists', {
  'a list has a kind and a resource version, and items without kind': async (api) => {
    await createAll(api, 'a');
    const list = (await api.get(api.path('configmaps'))).expect(200);
    assert.equal(list.at('kind'), 'ConfigMapList');
    assert.equal(list.at('apiVersion'), 'v1');
    assert.match(String(list.at('metadata.resourceVersion')), /^[1-9]\d*$/);
    assert.equal(list.at('items.0.kind'), undefined);
  },
  'an empty list has an empty array of items': async (api) => {
    const list = (await api.get(api.path('secrets'))).expect(200);
    assert.deepEqual(list.at('items'), []);
  },
  'objects are listed in the order of their names': async (api) => {
    await createAll(api, 'b', 'a', 'a-b', 'a.b');
    const listed = names(await api.get(api.path('configmaps'))).filter((name) => !name.startsWith('kube'));
    assert.deepEqual(listed, ['a', 'a-b', 'a.b', 'b']);
  },
  'a list over all namespaces has the objects of each': async (api) => {
    await createAll(api, 'a');
    const list = (await api.get('/api/v1/configmaps')).expect(200);
    const here = list.list('items').filter((item) => valueAt(item, 'metadata.namespace') === api.namespace);
    assert.ok(here.some((item) => valueAt(item, 'metadata.name') === 'a'));
  },
  'a list in a namespace that does not exist is empty': async (api) => {
    const list = (await api.get('/api/v1/namespaces/there-is-no-such/configmaps')).expect(200);
    assert.deepEqual(list.at('items'), []);
  },
  'a label selector picks by equality': async (api) => {
    await createLabelled(api);
    assert.deepEqual(await selected(api, 'test=x'), ['a']);
    assert.deepEqual(await selected(api, 'test==x'), ['a']);
  },
  'a label selector picks by inequality, absent labels included': async (api) => {
    await createLabelled(api);
    assert.deepEqual(await selected(api, 'test,tier!=web'), ['b', 'c']);
  },
  'a label selector picks by set': async (api) => {
    await createLabelled(api);
    assert.deepEqual(await selected(api, 'test in (x, z)'), ['a', 'c']);
    assert.deepEqual(await selected(api, 'test,tier notin (web)'), ['b', 'c']);
  },
  'a label selector picks by presence and absence': async (api) => {
    await createLabelled(api);
    assert.deepEqual(await selected(api, 'tier'), ['a', 'c']);
    assert.deepEqual(await selected(api, 'test,!tier'), ['b']);
  },
  'a label selector that cannot be parsed is a bad request': async (api) => {
    (await api.get(`${api.path('configmaps')}?labelSelector=${encodeURIComponent('a in b')}`)).expectFailure(
      400,
      'BadRequest',
    );
  },
  'a field selector picks by name': async (api) => {
    await createAll(api, 'a', 'b');
    assert.deepEqual(names(await api.get(`${api.path('configmaps')}?fieldSelector=metadata.name%3Db`)), [
      'b',
    ]);
    assert.deepEqual(
      names(await api.get(`${api.path('configmaps')}?fieldSelector=metadata.name%3Dabsent`)),
      [],
    );
  },
  'a field selector picks everything but a name': async (api) => {
    await createLabelled(api);
    const reply = await api.get(`${api.path('configmaps')}?${own}&fieldSelector=metadata.name!%3Db`);
    assert.deepEqual(names(reply), ['a', 'c']);
  },
  'a field selector on a field the kind does not offer is a bad request': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}?fieldSelector=data.x%3D1`);
    reply.expectFailure(400, 'BadRequest');
    assert.match(String(reply.at('message')), /"data.x" is not a known field selector/);
  },
  'a limit splits a list into pages that together are complete': async (api) => {
    await createLabelled(api);
    const first = (await api.get(`${api.path('configmaps')}?${own}&limit=2`)).expect(200);
    assert.deepEqual(names(first), ['a', 'b']);
    const token = encodeURIComponent(String(first.at('metadata.continue')));
    const second = (await api.get(`${api.path('configmaps')}?${own}&limit=2&continue=${token}`)).expect(200);
    assert.deepEqual(names(second), ['c']);
    assert.equal(second.at('metadata.continue') ?? '', '');
  },
  'a page without selector contains the number of remaining items': async (api) => {
    await createAll(api, 'a', 'b', 'c');
    const all = names(await api.get(api.path('configmaps'))).length;
    const first = (await api.get(`${api.path('configmaps')}?limit=1`)).expect(200);
    assert.equal(first.at('metadata.remainingItemCount'), all - 1);
  },
  'a page with a selector omits the number of remaining items': async (api) => {
    await createLabelled(api);
    const first = (await api.get(`${api.path('configmaps')}?${own}&limit=1`)).expect(200);
    assert.equal(first.at('metadata.remainingItemCount'), undefined);
  },
  'later pages are consistent with the first': async (api) => {
    await createLabelled(api);
    const first = await api.get(`${api.path('configmaps')}?${own}&limit=1`);
    (await api.delete(`${api.path('configmaps')}/b`)).expect(200);
    (await api.post(api.path('configmaps'), labelled('bb', { test: 'new' }))).expect(201);
    const token = encodeURIComponent(String(first.at('metadata.continue')));
    const second = await api.get(`${api.path('configmaps')}?${own}&limit=5&continue=${token}`);
    assert.deepEqual(names(second.expect(200)), ['b', 'c']);
    assert.equal(second.at('metadata.resourceVersion'), first.at('metadata.resourceVersion'));
  },
  'an invalid continue token is a bad request': async (api) => {
    (await api.get(`${api.path('configmaps')}?limit=1&continue=nonsense`)).expectFailure(400, 'BadRequest');
  },
  'a list at an exact resource version returns that state': async (api) => {
    await createLabelled(api);
    const before = await api.get(`${api.path('configmaps')}?${own}`);
    (await api.delete(`${api.path('configmaps')}/b`)).expect(200);
    const version = before.at('metadata.resourceVersion');
    const again = await api.get(
      `${api.path('configmaps')}?${own}&resourceVersion=${version}&resourceVersionMatch=Exact`,
    );
    assert.deepEqual(names(again.expect(200)), ['a', 'b', 'c']);
    assert.equal(again.at('metadata.resourceVersion'), version);
  },
  'a list not older than a version is at least as new': async (api) => {
    await createLabelled(api);
    const created = await api.post(api.path('configmaps'), labelled('d', { test: 'd' }));
    const version = created.at('metadata.resourceVersion');
    const list = await api.get(
      `${api.path('configmaps')}?${own}&resourceVersion=${version}&resourceVersionMatch=NotOlderThan`,
    );
    assert.deepEqual(names(list.expect(200)), ['a', 'b', 'c', 'd']);
  },
  'a resource version match without a version is invalid': async (api) => {
    (await api.get(`${api.path('configmaps')}?resourceVersionMatch=Exact`)).expectInvalid(
      'resourceVersionMatch',
    );
  },
  'a resource version that is not a number is rejected': async (api) => {
    const reply = await api.get(
      `${api.path('configmaps')}?resourceVersion=abc&resourceVersionMatch=NotOlderThan`,
    );
    assert.ok(reply.status === 400 || reply.status === 422, `${reply.status}`);
  },
  'an exact match at version 0 is invalid': async (api) => {
    (await api.get(`${api.path('configmaps')}?resourceVersion=0&resourceVersionMatch=Exact`)).expectInvalid(
      'resourceVersionMatch',
    );
  },
});
