import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { CustomKind, definitionsPath, specSchema, withKind } from '../custom-kind.ts';
import { eventually } from '../patience.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const plain = { schema: specSchema({ size: { type: 'integer' } }) };

function condition(definition: ServerReply, type: string): string {
  const found = definition.list('status.conditions').find((each) => valueAt(each, 'type') === type);
  return `${valueAt(found, 'status')} ${valueAt(found, 'reason')}`;
}

async function groupNames(api: ConformanceApi): Promise<readonly string[]> {
  return (await api.get('/apis')).list('groups').map((group) => String(valueAt(group, 'name')));
}

function version(name: string, fields: JsonObject = {}): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: plain.schema }, ...fields };
}

const twoVersions = { ...plain, spec: { versions: [version('v1', { storage: true }), version('v2beta1')] } };

export const definitionCases = area('custom resources', {
  'a definition is accepted and established': async (api) => {
    await withKind(api, plain, async (kind) => {
      const read = (await api.get(`${definitionsPath}/${kind.name}`)).expect(200);
      assert.equal(condition(read, 'NamesAccepted'), 'True NoConflicts');
      assert.equal(condition(read, 'Established'), 'True InitialNamesAccepted');
      assert.equal(read.at('status.acceptedNames.kind'), 'Gadget');
      assert.deepEqual(read.at('status.storedVersions'), ['v1']);
    });
  },
  'names and conversion of a definition are defaulted': async (api) => {
    const kind = new CustomKind(api, { ...plain, spec: { names: { plural: 'gadgets', kind: 'Gadget' } } });
    const created = (await api.post(definitionsPath, kind.definition)).expect(201);
    assert.equal(created.at('spec.names.singular'), 'gadget');
    assert.equal(created.at('spec.names.listKind'), 'GadgetList');
    assert.equal(created.at('spec.conversion.strategy'), 'None');
    await kind.remove();
  },
  'a new kind appears in discovery at once and disappears with its definition': async (api) => {
    await withKind(api, plain, async (kind) => {
      await eventually(async () => assert.ok((await groupNames(api)).includes(kind.group)));
      const resources = (await api.get(`/apis/${kind.group}/v1`)).expect(200);
      assert.equal(resources.at('resources.0.name'), 'gadgets');
      assert.equal(resources.at('resources.0.kind'), 'Gadget');
      assert.equal(resources.at('resources.0.namespaced'), true);
    });
    const group = `${api.namespace}.example.com`;
    await eventually(async () => assert.ok(!(await groupNames(api)).includes(group)));
    await eventually(async () => assert.equal((await api.get(`/apis/${group}/v1/gadgets`)).status, 404));
  },
  'short names and categories appear in discovery': async (api) => {
    const names = { plural: 'gadgets', kind: 'Gadget', shortNames: ['gd'], categories: ['all'] };
    await withKind(api, { ...plain, spec: { names } }, async (kind) => {
      const resources = (await api.get(`/apis/${kind.group}/v1`)).expect(200);
      assert.deepEqual(resources.at('resources.0.shortNames'), ['gd']);
      assert.deepEqual(resources.at('resources.0.categories'), ['all']);
    });
  },
  'subresources appear in discovery': async (api) => {
    await withKind(api, { ...plain, version: { subresources: { status: {} } } }, async (kind) => {
      const resources = (await api.get(`/apis/${kind.group}/v1`)).expect(200);
      const names = resources.list('resources').map((each) => valueAt(each, 'name'));
      assert.deepEqual(names, ['gadgets', 'gadgets/status']);
    });
  },
  'the name of a definition must be its plural and group': async (api) => {
    const { definition } = new CustomKind(api, plain);
    const reply = await api.post(definitionsPath, {
      ...definition,
      metadata: { name: `widgets.${api.namespace}.example.com` },
    });
    reply.expectInvalid('metadata.name');
  },
  'a definition without a schema is invalid': async (api) => {
    const versions = [{ name: 'v1', served: true, storage: true }];
    const { definition } = new CustomKind(api, { ...plain, spec: { versions } });
    (await api.post(definitionsPath, definition)).expectInvalid('spec.versions[0].schema.openAPIV3Schema');
  },
  'exactly one version must be the stored one': async (api) => {
    const none = [version('v1'), version('v2')];
    const first = new CustomKind(api, { ...plain, spec: { versions: none } });
    const reply = (await api.post(definitionsPath, first.definition)).expectFailure(422, 'Invalid');
    assert.match(String(reply.at('message')), /must have exactly one version marked as storage version/);
    const two = [version('v1', { storage: true }), version('v2', { storage: true })];
    const second = new CustomKind(api, { ...plain, spec: { versions: two } });
    (await api.post(definitionsPath, second.definition)).expectFailure(422, 'Invalid');
  },
  'a duplicate version is invalid': async (api) => {
    const versions = [version('v1', { storage: true }), version('v1')];
    const { definition } = new CustomKind(api, { ...plain, spec: { versions } });
    (await api.post(definitionsPath, definition)).expectFailure(422, 'Invalid');
  },
  'a scope must be Cluster or Namespaced': async (api) => {
    const { definition } = new CustomKind(api, { ...plain, spec: { scope: 'Galactic' } });
    (await api.post(definitionsPath, definition)).expectInvalid('spec.scope');
  },
  'the scope of a definition cannot be changed': async (api) => {
    await withKind(api, plain, async (kind) => {
      const patch = { spec: { scope: 'Cluster' } };
      (await api.patch('merge', `${definitionsPath}/${kind.name}`, patch)).expectInvalid('spec.scope');
    });
  },
  'the kind of an established definition cannot be changed': async (api) => {
    await withKind(api, plain, async (kind) => {
      const patch = { spec: { names: { kind: 'Other', listKind: 'OtherList' } } };
      const reply = await api.patch('merge', `${definitionsPath}/${kind.name}`, patch);
      reply.expectInvalid('spec.names.kind');
    });
  },
  'a second definition with the same kind is not accepted': async (api) => {
    await withKind(api, plain, async (kind) => {
      const name = `doodads.${kind.group}`;
      const names = { plural: 'doodads', singular: 'doodad', kind: 'Gadget', listKind: 'GadgetList' };
      const { definition } = new CustomKind(api, { ...plain, spec: { names } });
      (await api.post(definitionsPath, { ...definition, metadata: { name } })).expect(201);
      await eventually(async () => {
        const read = await api.get(`${definitionsPath}/${name}`);
        assert.match(condition(read, 'NamesAccepted'), /^False/);
        assert.match(condition(read, 'Established'), /^False NotAccepted/);
      });
      assert.equal((await api.get(`/apis/${kind.group}/v1/doodads`)).status, 404);
      await api.delete(`${definitionsPath}/${name}`);
    });
  },
  'an object is served in every version and stored in one': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      (await kind.create('a', { spec: { size: 1 } })).expect(201);
      const read = (await api.get(`${kind.path('v2beta1')}/a`)).expect(200);
      assert.equal(read.at('apiVersion'), `${kind.group}/v2beta1`);
      assert.equal(read.at('spec.size'), 1);
      const list = (await api.get(kind.path('v2beta1'))).expect(200);
      assert.equal(list.at('items.0.apiVersion'), `${kind.group}/v2beta1`);
    });
  },
  'an object is written in any version': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      const body = kind.object('a', { spec: { size: 2 } }, 'v2beta1');
      (await api.post(kind.path('v2beta1'), body)).expect(201);
      assert.equal((await kind.get('a')).at('spec.size'), 2);
      const patched = await api.patch('merge', `${kind.path('v2beta1')}/a`, { spec: { size: 3 } });
      assert.equal(patched.expect(200).at('apiVersion'), `${kind.group}/v2beta1`);
      assert.equal((await kind.get('a')).at('spec.size'), 3);
    });
  },
  'a watch returns objects in the requested version': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      (await kind.create('a')).expect(201);
      const watch = await api.watch(kind.path('v2beta1'));
      assert.equal(valueAt(await watch.nextEvent(), 'object.apiVersion'), `${kind.group}/v2beta1`);
      watch.close();
    });
  },
  'the preferred version is the most stable one': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      await eventually(async () => {
        const group = (await api.get(`/apis/${kind.group}`)).expect(200);
        assert.equal(group.at('preferredVersion.version'), 'v1');
        assert.equal(group.list('versions').length, 2);
      });
    });
  },
  'a version that is no longer served is gone': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      const versions = [version('v1', { storage: true }), version('v2beta1', { served: false })];
      await kind.redefine({ spec: { versions } });
      await eventually(async () => assert.equal((await api.get(kind.path('v2beta1'))).status, 404));
      await eventually(async () => (await api.get(kind.path())).expect(200));
    });
  },
  'a new storage version is added to the stored versions': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      const versions = [version('v1'), version('v2beta1', { storage: true })];
      await kind.redefine({ spec: { versions } });
      await eventually(async () => {
        const read = await api.get(`${definitionsPath}/${kind.name}`);
        assert.deepEqual(read.at('status.storedVersions'), ['v1', 'v2beta1']);
      });
    });
  },
  'a version that may still be stored cannot be removed': async (api) => {
    await withKind(api, twoVersions, async (kind) => {
      const versions = [version('v2beta1', { storage: true })];
      const path = `${definitionsPath}/${kind.name}`;
      (await api.patch('merge', path, { spec: { versions } })).expectInvalid('status.storedVersions[0]');
    });
  },
  'a deprecated version returns a warning': async (api) => {
    const versions = [version('v1', { storage: true, deprecated: true })];
    await withKind(api, { ...plain, spec: { versions } }, async (kind) => {
      const reply = (await kind.create('a')).expect(201);
      assert.match(reply.headers['warning'] ?? '', /v1 Gadget is deprecated/);
      assert.match((await kind.get('a')).headers['warning'] ?? '', /v1 Gadget is deprecated/);
    });
  },
  'objects are deleted with their definition': async (api) => {
    const kind = new CustomKind(api, plain);
    await kind.install();
    (await kind.create('a')).expect(201);
    await kind.remove();
    await eventually(async () => assert.equal((await api.get(kind.path())).status, 404));
    await kind.install();
    assert.deepEqual((await api.get(kind.path())).at('items'), []);
    await kind.remove();
  },
  'a definition waits for objects with finalizers': async (api) => {
    const kind = new CustomKind(api, plain);
    await kind.install();
    const metadata = { name: 'a', finalizers: ['example.com/wait'] };
    (await kind.create('a', { metadata })).expect(201);
    const deleted = (await api.delete(`${definitionsPath}/${kind.name}`)).expect(200);
    assert.deepEqual(deleted.at('metadata.finalizers'), ['customresourcecleanup.apiextensions.k8s.io']);
    await eventually(async () => {
      const read = await api.get(`${definitionsPath}/${kind.name}`);
      assert.match(condition(read, 'Terminating'), /^True/);
      assert.notEqual((await kind.get('a')).at('metadata.deletionTimestamp'), undefined);
    });
    (await kind.create('b')).expectFailure(403, 'Forbidden');
    await api.patch('merge', `${kind.path()}/a`, { metadata: { finalizers: null } });
    await eventually(async () =>
      assert.equal((await api.get(`${definitionsPath}/${kind.name}`)).status, 404),
    );
  },
  'a cluster-scoped kind has no namespace': async (api) => {
    await withKind(api, { ...plain, scope: 'Cluster' }, async (kind) => {
      const path = `/apis/${kind.group}/v1/gadgets`;
      const created = (await api.post(path, kind.object('a'))).expect(201);
      assert.equal(created.at('metadata.namespace'), undefined);
      (await api.get(`${path}/a`)).expect(200);
      assert.equal((await api.get(`${kind.path()}/a`)).status, 404);
    });
  },
});
