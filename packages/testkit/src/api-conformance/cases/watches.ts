import assert from 'node:assert/strict';
import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { area } from '../conformance-case.ts';
import { configMap, labelled } from '../objects.ts';
import { valueAt } from '../reply.ts';

const field = 'fieldSelector=metadata.name%3Da';
const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function objectAt(value: Json, path: string): JsonObject {
  const found = valueAt(value, path);
  assert.ok(isJsonObject(found), `there is no object at ${path}`);
  return found;
}

export const watchCases = area('watches', {
  'a watch from a version reports later changes in order': async (api) => {
    const list = await api.get(api.path('configmaps'));
    const watch = await api.watch(
      api.path('configmaps'),
      `resourceVersion=${list.at('metadata.resourceVersion')}`,
    );
    await api.post(api.path('configmaps'), configMap('a'));
    await api.patch('merge', `${api.path('configmaps')}/a`, { data: { x: '1' } });
    await api.delete(`${api.path('configmaps')}/a`);
    assert.deepEqual(
      [await watch.next(), await watch.next(), await watch.next()],
      ['ADDED a', 'MODIFIED a', 'DELETED a'],
    );
    watch.close();
  },
  'a watch without a version begins with the existing objects': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(api.path('configmaps'), field);
    assert.equal(await watch.next(), 'ADDED a');
    watch.close();
  },
  'a watch at version 0 begins with the existing objects': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(api.path('configmaps'), `resourceVersion=0&${field}`);
    assert.equal(await watch.next(), 'ADDED a');
    watch.close();
  },
  'events contain whole objects with kind and version': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const watch = await api.watch(api.path('configmaps'), field);
    const event = await watch.nextEvent();
    assert.equal(valueAt(event, 'object.kind'), 'ConfigMap');
    assert.equal(valueAt(event, 'object.apiVersion'), 'v1');
    assert.equal(valueAt(event, 'object.data.x'), '1');
    watch.close();
  },
  'the resource version of a deletion is newer than the object': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a'));
    const version = created.at('metadata.resourceVersion');
    const watch = await api.watch(api.path('configmaps'), `resourceVersion=${version}`);
    await api.delete(`${api.path('configmaps')}/a`);
    const event = await watch.nextEvent();
    assert.ok(Number(valueAt(event, 'object.metadata.resourceVersion')) > Number(version));
    watch.close();
  },
  'an object that begins to match a selector is added, one that stops is deleted': async (api) => {
    const created = await api.post(api.path('configmaps'), labelled('a', { phase: 'off' }));
    const version = created.at('metadata.resourceVersion');
    const watch = await api.watch(
      api.path('configmaps'),
      `resourceVersion=${version}&labelSelector=phase%3Don`,
    );
    await api.patch('merge', `${api.path('configmaps')}/a`, { metadata: { labels: { phase: 'on' } } });
    await api.patch('merge', `${api.path('configmaps')}/a`, { data: { x: '1' } });
    await api.patch('merge', `${api.path('configmaps')}/a`, { metadata: { labels: { phase: 'off' } } });
    assert.deepEqual(
      [await watch.next(), await watch.next(), await watch.next()],
      ['ADDED a', 'MODIFIED a', 'DELETED a'],
    );
    watch.close();
  },
  'objects outside the selector are not reported': async (api) => {
    const list = await api.get(api.path('configmaps'));
    const watch = await api.watch(
      api.path('configmaps'),
      `resourceVersion=${list.at('metadata.resourceVersion')}&labelSelector=x%3D1`,
    );
    await api.post(api.path('configmaps'), configMap('other'));
    await api.post(api.path('configmaps'), labelled('mine', { x: '1' }));
    assert.equal(await watch.next(), 'ADDED mine');
    watch.close();
  },
  'a watch in one namespace does not report another': async (api) => {
    const list = await api.get(api.path('configmaps'));
    const watch = await api.watch(
      api.path('configmaps'),
      `resourceVersion=${list.at('metadata.resourceVersion')}&fieldSelector=metadata.name!%3Dkube-root-ca.crt`,
    );
    const elsewhere = `watch-elsewhere-${api.namespace}`;
    (await api.post('/api/v1/namespaces/default/configmaps', configMap(elsewhere))).expect(201);
    (await api.delete(`/api/v1/namespaces/default/configmaps/${elsewhere}`)).expect(200);
    await api.post(api.path('configmaps'), configMap('mine'));
    assert.equal(await watch.next(), 'ADDED mine');
    watch.close();
  },
  'a watch with a field selector on the name reports only that object': async (api) => {
    await api.post(api.path('configmaps'), configMap('b'));
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(api.path('configmaps'), field);
    assert.equal(await watch.next(), 'ADDED a');
    watch.close();
  },
  'a watch ends after timeoutSeconds': async (api) => {
    const watch = await api.watch(api.path('configmaps'), 'timeoutSeconds=1');
    await watch.end();
  },
  'initial events end with an annotated bookmark': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(
      api.path('configmaps'),
      `${field}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    );
    assert.equal(valueAt(await watch.nextEvent(), 'type'), 'ADDED');
    const bookmark = await watch.nextEvent();
    assert.equal(valueAt(bookmark, 'type'), 'BOOKMARK');
    assert.deepEqual(valueAt(bookmark, 'object.metadata.annotations'), {
      'k8s.io/initial-events-end': 'true',
    });
    assert.match(String(valueAt(bookmark, 'object.metadata.resourceVersion')), /^\d+$/);
    watch.close();
  },
  'initial events without a version match are invalid': async (api) => {
    const reply = await api.get(`${api.path('configmaps')}?watch=true&sendInitialEvents=true`);
    reply.expectInvalid('resourceVersionMatch');
  },
  'a watch can be a table': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const watch = await api.watch(api.path('configmaps'), field, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const event = await watch.nextEvent();
    assert.equal(valueAt(event, 'object.kind'), 'Table');
    assert.equal(valueAt(event, 'object.rows.0.cells.0'), 'a');
    watch.close();
  },
  'a watch can return only metadata': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const watch = await api.watch(api.path('configmaps'), field, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    });
    const event = await watch.nextEvent();
    assert.equal(valueAt(event, 'object.kind'), 'PartialObjectMetadata');
    assert.equal(valueAt(event, 'object.data'), undefined);
    watch.close();
  },
  'only the first table of a watch has column definitions': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(api.path('configmaps'), field, { accept: tableType });
    await api.patch('merge', `${api.path('configmaps')}/a`, { data: { x: '1' } });
    await api.delete(`${api.path('configmaps')}/a`);
    const events = [await watch.nextEvent(), await watch.nextEvent(), await watch.nextEvent()];
    watch.close();
    const columns = events.map((event) => valueAt(event, 'object.columnDefinitions'));
    const names = ['Name', 'Data', 'Age'];
    assert.ok(Array.isArray(columns[0]));
    assert.deepEqual(
      columns[0].map((column) => valueAt(column, 'name')),
      names,
    );
    assert.deepEqual(columns.slice(1), [null, null]);
    const cells = events.map((event) => valueAt(event, 'object.rows.0.cells'));
    assert.deepEqual(
      cells.map((row) => [valueAt(row, '0'), valueAt(row, '1')]),
      [
        ['a', 0],
        ['a', 1],
        ['a', 1],
      ],
    );
    for (const row of cells) assert.match(String(valueAt(row, '2')), /^\d+s$/);
  },
  'a bookmark in a watch of tables is a row without a name': async (api) => {
    const query = `${field}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`;
    await api.post(api.path('configmaps'), configMap('a'));
    const watch = await api.watch(api.path('configmaps'), query, { accept: tableType });
    await watch.nextEvent();
    const bookmark = await watch.nextEvent();
    watch.close();
    assert.equal(valueAt(bookmark, 'type'), 'BOOKMARK');
    assert.equal(valueAt(bookmark, 'object.kind'), 'Table');
    assert.match(String(valueAt(bookmark, 'object.metadata.resourceVersion')), /^\d+$/);
    assert.deepEqual(valueAt(bookmark, 'object.rows.0.cells'), ['', 0, '<unknown>']);
    assert.equal(valueAt(bookmark, 'object.rows.0.object.kind'), 'PartialObjectMetadata');
    const { annotations } = objectAt(bookmark, 'object.rows.0.object.metadata');
    assert.deepEqual(annotations, { 'k8s.io/initial-events-end': 'true' });
  },
  'a bookmark in a watch of metadata is metadata': async (api) => {
    const query = `${field}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`;
    const watch = await api.watch(api.path('configmaps'), query, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    });
    const bookmark = await watch.nextEvent();
    watch.close();
    const { resourceVersion, ...metadata } = objectAt(bookmark, 'object.metadata');
    assert.equal(valueAt(bookmark, 'object.kind'), 'PartialObjectMetadata');
    assert.match(String(resourceVersion), /^\d+$/);
    assert.deepEqual(metadata, { annotations: { 'k8s.io/initial-events-end': 'true' } });
  },
  'rows in a watch contain what includeObject requests': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const shown = async (include: string) => {
      const query = `${field}&includeObject=${include}`;
      const watch = await api.watch(api.path('configmaps'), query, { accept: tableType });
      const event = await watch.nextEvent();
      watch.close();
      return valueAt(event, 'object.rows.0.object');
    };
    assert.equal(await shown('None'), null);
    assert.equal(valueAt(await shown('Metadata'), 'kind'), 'PartialObjectMetadata');
    assert.equal(valueAt(await shown('Object'), 'data.x'), '1');
  },
  'unsupported field selectors are a bad request, whatever their name': async (api) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'spec.x'];
    for (const name of names) {
      for (const watch of ['false', 'true']) {
        const ask = (path: string) => api.get(`${path}?watch=${watch}&fieldSelector=${name}%3D1`);
        const pods = (await ask(api.path('pods'))).expectFailure(400, 'BadRequest');
        assert.equal(pods.at('message'), `field label not supported: ${name}`);
        const maps = (await ask(api.path('configmaps'))).expectFailure(400, 'BadRequest');
        const known = 'only "metadata.name", "metadata.namespace"';
        assert.equal(maps.at('message'), `"${name}" is not a known field selector: ${known}`);
      }
    }
  },
  'cluster-scoped objects cannot be selected by namespace': async (api) => {
    const reply = await api.get('/api/v1/nodes?fieldSelector=metadata.namespace%3Dx');
    const message = 'field label not supported: metadata.namespace';
    assert.equal(reply.expectFailure(400, 'BadRequest').at('message'), message);
  },
  'label selectors match own labels only, whatever their name': async (api) => {
    await api.post(api.path('configmaps'), labelled('a', { constructor: 'x' }));
    const names = async (selector: string) => {
      const query = `labelSelector=${encodeURIComponent(selector)}`;
      const list = await api.get(`${api.path('configmaps')}?${query}`);
      return list.list('items').map((item) => valueAt(item, 'metadata.name'));
    };
    assert.deepEqual(await names('constructor'), ['a']);
    assert.deepEqual(await names('!constructor'), ['kube-root-ca.crt']);
    assert.deepEqual(await names('toString'), []);
    assert.deepEqual(await names('hasOwnProperty,valueOf'), []);
    assert.deepEqual(await names('!toString'), ['a', 'kube-root-ca.crt']);
  },
});
