import assert from 'node:assert/strict';
import { area } from '../conformance-case.ts';
import { configMap, deployment, pod } from '../objects.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
const asPartial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const asPartialList = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

function columns(table: ServerReply): readonly string[] {
  return table.list('columnDefinitions').map((column) => String(valueAt(column, 'name')));
}

export const viewCases = area('tables and metadata views', {
  'a list as a table has columns, rows and the version of the list': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1', y: '2' } }))).expect(201);
    const table = (
      await api.get(`${api.path('configmaps')}?fieldSelector=metadata.name%3Da`, asTable)
    ).expect(200);
    assert.equal(table.at('kind'), 'Table');
    assert.equal(table.at('apiVersion'), 'meta.k8s.io/v1');
    assert.match(String(table.at('metadata.resourceVersion')), /^\d+$/);
    assert.deepEqual(columns(table), ['Name', 'Data', 'Age']);
    assert.deepEqual(table.list('rows.0.cells').slice(0, 2), ['a', 2]);
    assert.equal(table.at('rows.0.object.kind'), 'PartialObjectMetadata');
    assert.equal(table.at('rows.0.object.metadata.name'), 'a');
  },
  'one object as a table has one row': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const table = (await api.get(`${api.path('configmaps')}/a`, asTable)).expect(200);
    assert.equal(table.at('kind'), 'Table');
    assert.equal(table.list('rows').length, 1);
  },
  'an empty list as a table has columns and no rows': async (api) => {
    const table = (await api.get(api.path('secrets'), asTable)).expect(200);
    assert.deepEqual(columns(table), ['Name', 'Type', 'Data', 'Age']);
    assert.deepEqual(table.list('rows'), []);
  },
  'rows contain whole objects or nothing on request': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(201);
    const path = `${api.path('configmaps')}/a`;
    const whole = (await api.get(`${path}?includeObject=Object`, asTable)).expect(200);
    assert.deepEqual(whole.at('rows.0.object.data'), { x: '1' });
    const none = (await api.get(`${path}?includeObject=None`, asTable)).expect(200);
    assert.equal(none.at('rows.0.object') ?? null, null);
  },
  'an unknown includeObject value is a bad request': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}?includeObject=Half`, asTable);
    reply.expectFailure(400, 'BadRequest');
  },
  'a table of pods has what kubectl shows': async (api) => {
    (await api.post(api.path('pods'), pod('a', { schedulerName: 'nobody' }))).expect(201);
    const table = (await api.get(api.path('pods'), asTable)).expect(200);
    assert.deepEqual(columns(table), [
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ]);
    assert.deepEqual(table.list('rows.0.cells').slice(0, 3), ['a', '0/1', 'Pending']);
    assert.equal(table.at('columnDefinitions.5.priority'), 1);
  },
  'a table of deployments has what kubectl shows': async (api) => {
    (await api.post(api.path('deployments', 'apps/v1'), deployment('a'))).expect(201);
    const table = (await api.get(api.path('deployments', 'apps/v1'), asTable)).expect(200);
    assert.deepEqual(columns(table), [
      'Name',
      'Ready',
      'Up-to-date',
      'Available',
      'Age',
      'Containers',
      'Images',
      'Selector',
    ]);
    assert.equal(table.at('rows.0.cells.0'), 'a');
    assert.equal(table.at('rows.0.cells.7'), 'app=a');
  },
  'a watch as tables sends a row with each event': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Da', asTable);
    const event = await watch.nextEvent();
    assert.equal(valueAt(event, 'type'), 'ADDED');
    assert.equal(valueAt(event, 'object.kind'), 'Table');
    assert.equal(valueAt(event, 'object.rows.0.cells.0'), 'a');
    watch.close();
  },
  'a table supports paging': async (api) => {
    for (const name of ['a', 'b'])
      (await api.post(api.path('secrets'), { ...configMap(name), kind: 'Secret' })).expect(201);
    const page = (await api.get(`${api.path('secrets')}?limit=1`, asTable)).expect(200);
    assert.equal(page.list('rows').length, 1);
    assert.ok(page.at('metadata.continue'));
  },
  'an object as PartialObjectMetadata has only metadata': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(201);
    const read = (await api.get(`${api.path('configmaps')}/a`, asPartial)).expect(200);
    assert.equal(read.at('kind'), 'PartialObjectMetadata');
    assert.equal(read.at('apiVersion'), 'meta.k8s.io/v1');
    assert.equal(read.at('metadata.name'), 'a');
    assert.equal(read.at('data'), undefined);
  },
  'a list as PartialObjectMetadataList has only metadata': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(201);
    const list = (await api.get(api.path('configmaps'), asPartialList)).expect(200);
    assert.equal(list.at('kind'), 'PartialObjectMetadataList');
    assert.equal(list.at('items.0.data'), undefined);
    assert.notEqual(list.at('items.0.metadata.name'), undefined);
  },
  'a watch of PartialObjectMetadata sends only metadata': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(201);
    const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Da', asPartial);
    const event = await watch.nextEvent();
    assert.equal(valueAt(event, 'object.kind'), 'PartialObjectMetadata');
    assert.equal(valueAt(event, 'object.data'), undefined);
    watch.close();
  },
  'a create responds with the requested view': async (api) => {
    const reply = await api.request('POST', api.path('configmaps'), {
      body: configMap('a'),
      headers: asPartial,
    });
    assert.equal(reply.expect(201).at('kind'), 'PartialObjectMetadata');
  },
  'an unknown view is not acceptable': async (api) => {
    const headers = { accept: 'application/json;as=Poem;v=v1;g=meta.k8s.io' };
    (await api.get(api.path('configmaps'), headers)).expectFailure(406, 'NotAcceptable');
  },
});
