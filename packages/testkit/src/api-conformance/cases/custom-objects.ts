import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import { area } from '../conformance-case.ts';
import { definitionsPath, specSchema, withKind } from '../custom-kind.ts';
import { eventually } from '../patience.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const plain = { schema: specSchema({ size: { type: 'integer' }, mode: { type: 'string' } }) };
const withStatus = { ...plain, version: { subresources: { status: {} } } };
const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

function columns(table: ServerReply): readonly string[] {
  return table.list('columnDefinitions').map((column) => String(valueAt(column, 'name')));
}

export const customObjectCases = area('custom resources', {
  'a new object has generation 1, which a change of its spec increases': async (api) => {
    await withKind(api, plain, async (kind) => {
      assert.equal((await kind.create('a', { spec: { size: 1 } })).expect(201).at('metadata.generation'), 1);
      const changed = await api.patch('merge', `${kind.path()}/a`, { spec: { size: 2 } });
      assert.equal(changed.at('metadata.generation'), 2);
      const labelled = await api.patch('merge', `${kind.path()}/a`, { metadata: { labels: { x: 'y' } } });
      assert.equal(labelled.at('metadata.generation'), 2);
    });
  },
  'without a status subresource a change of the status increases the generation too': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const changed = await api.patch('merge', `${kind.path()}/a`, { status: { phase: 'x' } });
      assert.equal(changed.at('status.phase'), 'x');
      assert.equal(changed.at('metadata.generation'), 2);
      assert.equal((await api.get(`${kind.path()}/a/status`)).status, 404);
    });
  },
  'with a status subresource writes to the object ignore the status': async (api) => {
    await withKind(api, withStatus, async (kind) => {
      const created = (await kind.create('a', { status: { phase: 'x' } })).expect(201);
      assert.equal(created.at('status'), undefined);
      await api.patch('merge', `${kind.path()}/a/status`, { status: { phase: 'y' } });
      await api.patch('merge', `${kind.path()}/a`, { status: { phase: 'z' }, spec: { size: 1 } });
      assert.equal((await kind.get('a')).at('status.phase'), 'y');
    });
  },
  'with a status subresource writes to the status ignore the rest': async (api) => {
    await withKind(api, withStatus, async (kind) => {
      (await kind.create('a', { spec: { size: 1 } })).expect(201);
      const patch = { spec: { size: 9 }, metadata: { labels: { x: 'y' } }, status: { phase: 'y' } };
      const written = (await api.patch('merge', `${kind.path()}/a/status`, patch)).expect(200);
      assert.equal(written.at('spec.size'), 1);
      assert.equal(written.at('metadata.labels'), undefined);
      assert.equal(written.at('metadata.generation'), 1);
      assert.equal(written.at('status.phase'), 'y');
    });
  },
  'a strategic merge patch is not supported for custom kinds': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const reply = await api.patch('strategic', `${kind.path()}/a`, { spec: { size: 1 } });
      reply.expectFailure(415, 'UnsupportedMediaType');
    });
  },
  'an update must contain a resource version': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const reply = await api.put(`${kind.path()}/a`, kind.object('a', { spec: { size: 1 } }));
      reply.expectInvalid('metadata.resourceVersion');
    });
  },
  'an update with an old resource version is a conflict': async (api) => {
    await withKind(api, plain, async (kind) => {
      const created = (await kind.create('a')).expect(201).object();
      await api.patch('merge', `${kind.path()}/a`, { spec: { size: 1 } });
      (await api.put(`${kind.path()}/a`, created)).expectFailure(409, 'Conflict');
    });
  },
  'an object of another version is a bad request': async (api) => {
    await withKind(api, plain, async (kind) => {
      const reply = await api.post(kind.path(), kind.object('a', {}, 'v9'));
      reply.expectFailure(400, 'BadRequest');
    });
  },
  'metadata of custom objects is validated': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('Not_A_Name')).expectInvalid('metadata.name');
      const labels = { 'a b': 'x' };
      (await kind.create('a', { metadata: { name: 'a', labels } })).expectInvalid('metadata.labels');
    });
  },
  'unknown metadata fields are pruned with a warning': async (api) => {
    await withKind(api, plain, async (kind) => {
      const created = (await kind.create('a', { metadata: { name: 'a', colour: 'red' } })).expect(201);
      assert.equal(created.at('metadata.colour'), undefined);
      assert.match(created.headers['warning'] ?? '', /unknown field \\?"metadata.colour\\?"/);
    });
  },
  'metadata that only the server sets cannot be changed': async (api) => {
    await withKind(api, plain, async (kind) => {
      const created = (await kind.create('a')).expect(201);
      const patch = { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 99 } };
      await api.patch('merge', `${kind.path()}/a`, patch);
      const read = await kind.get('a');
      assert.equal(read.at('metadata.creationTimestamp'), created.at('metadata.creationTimestamp'));
      assert.equal(read.at('metadata.generation'), 1);
    });
  },
  'another uid is invalid': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const uid = '00000000-0000-0000-0000-000000000000';
      const reply = await api.patch('merge', `${kind.path()}/a`, { metadata: { uid } });
      reply.expectInvalid('metadata.uid');
    });
  },
  'custom objects wait for their finalizers': async (api) => {
    await withKind(api, plain, async (kind) => {
      const metadata = { name: 'a', finalizers: ['example.com/wait'] };
      (await kind.create('a', { metadata })).expect(201);
      const deleted = (await api.delete(`${kind.path()}/a`)).expect(200);
      assert.notEqual(deleted.at('metadata.deletionTimestamp'), undefined);
      assert.equal(deleted.at('metadata.generation'), 2);
      await api.patch('merge', `${kind.path()}/a`, { metadata: { finalizers: null } });
      (await kind.get('a')).expectFailure(404, 'NotFound');
    });
  },
  'custom objects support apply': async (api) => {
    const items = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, size: { type: 'integer' } },
    };
    const parts = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items,
    };
    await withKind(api, { schema: specSchema({ parts }) }, async (kind) => {
      const apply = (manager: string, list: readonly JsonObject[]) =>
        api.patch(
          'apply',
          `${kind.path()}/a?fieldManager=${manager}`,
          kind.object('a', { spec: { parts: list } }),
        );
      (await apply('one', [{ name: 'x', size: 1 }])).expect(201);
      (await apply('two', [{ name: 'y', size: 2 }])).expect(200);
      assert.equal((await kind.get('a')).list('spec.parts').length, 2);
      (await apply('two', [{ name: 'x', size: 5 }])).expectFailure(409, 'Conflict');
      (await apply('one', [])).expect(200);
      assert.deepEqual((await kind.get('a')).at('spec.parts'), [{ name: 'y', size: 2 }]);
    });
  },
  'a table of a custom kind has its printer columns': async (api) => {
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Mode', type: 'string', jsonPath: '.spec.mode', priority: 1 },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ];
    await withKind(api, { ...plain, version: { additionalPrinterColumns } }, async (kind) => {
      (await kind.create('a', { spec: { size: 4, mode: 'fast' } })).expect(201);
      const table = (await api.get(kind.path(), asTable)).expect(200);
      assert.deepEqual(columns(table), ['Name', 'Size', 'Mode', 'Since']);
      assert.equal(table.at('columnDefinitions.2.priority'), 1);
      assert.deepEqual(table.list('rows.0.cells').slice(0, 3), ['a', 4, 'fast']);
      assert.match(String(table.at('rows.0.cells.3')), /^\d+s$/);
    });
  },
  'a table of a custom kind without columns has name and age': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const table = (await api.get(kind.path(), asTable)).expect(200);
      assert.deepEqual(columns(table), ['Name', 'Age']);
    });
  },
  'a printer column without a value is empty': async (api) => {
    const additionalPrinterColumns = [{ name: 'Mode', type: 'string', jsonPath: '.spec.mode' }];
    await withKind(api, { ...plain, version: { additionalPrinterColumns } }, async (kind) => {
      (await kind.create('a')).expect(201);
      const table = (await api.get(kind.path(), asTable)).expect(200);
      assert.equal(table.at('rows.0.cells.1'), null);
    });
  },
  'a selectable field works as a field selector': async (api) => {
    const selectableFields = [{ jsonPath: '.spec.mode' }];
    await withKind(api, { ...plain, version: { selectableFields } }, async (kind) => {
      (await kind.create('a', { spec: { mode: 'fast' } })).expect(201);
      (await kind.create('b', { spec: { mode: 'slow' } })).expect(201);
      const list = (await api.get(`${kind.path()}?fieldSelector=spec.mode%3Dslow`)).expect(200);
      assert.deepEqual(
        list.list('items').map((item) => valueAt(item, 'metadata.name')),
        ['b'],
      );
      (await api.get(`${kind.path()}?fieldSelector=spec.size%3D1`)).expectFailure(400, 'BadRequest');
    });
  },
  'items in lists of custom objects contain their kind': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      const list = (await api.get(kind.path())).expect(200);
      assert.equal(list.at('kind'), 'GadgetList');
      assert.equal(list.at('items.0.kind'), 'Gadget');
    });
  },
  'custom objects can be deleted as a collection': async (api) => {
    await withKind(api, plain, async (kind) => {
      (await kind.create('a')).expect(201);
      (await kind.create('b')).expect(201);
      (await api.delete(kind.path())).expect(200);
      assert.deepEqual((await api.get(kind.path())).at('items'), []);
    });
  },
  'a duplicate field is rejected when validation is strict': async (api) => {
    await withKind(api, plain, async (kind) => {
      const body = JSON.stringify(kind.object('a', { spec: { size: 1 } })).replace(
        '"size":1',
        '"size":1,"size":2',
      );
      const reply = await api.request('POST', `${kind.path()}?fieldValidation=Strict`, { body });
      reply.expectFailure(400, 'BadRequest');
      assert.match(String(reply.at('message')), /duplicate field "spec.size"/);
    });
  },
  'objects that the conversion webhook cannot convert are not served in that version': async (api) => {
    const clientConfig = { url: 'https://127.0.0.1:9/convert' };
    const webhook = { conversionReviewVersions: ['v1'], clientConfig };
    const version = (name: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: plain.schema },
    });
    const spec = {
      versions: [version('v1', true), version('v2', false)],
      conversion: { strategy: 'Webhook', webhook },
    };
    await withKind(api, { ...plain, spec }, async (kind) => {
      (await kind.create('a')).expect(201);
      const message =
        `conversion webhook for ${kind.group}/v1, Kind=Gadget failed: Post "https://127.0.0.1:9/convert?timeout=30s": ` +
        'dial tcp 127.0.0.1:9: connect: connection refused';
      const failures = [
        () => api.get(`${kind.path('v2')}/a`),
        () => api.get(`${kind.path('v2')}/a`, asTable),
        () => api.get(kind.path('v2')),
        () => api.patch('merge', `${kind.path('v2')}/a`, { spec: { size: 1 } }),
        () => api.delete(`${kind.path('v2')}/a`),
        () => api.delete(kind.path('v2')),
      ];
      // The server may need a moment to serve a version that has not been requested before.
      for (const fail of failures)
        await eventually(async () => assert.equal((await fail()).expect(500).at('message'), message));
      (await kind.get('a')).expect(200);
      (await api.patch('merge', `${definitionsPath}/${kind.name}`, { spec: { conversion: null } })).expect(
        200,
      );
    });
  },
});
