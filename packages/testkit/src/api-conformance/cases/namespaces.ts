import assert from 'node:assert/strict';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap } from '../objects.ts';
import { eventually } from '../patience.ts';

const namespaces = '/api/v1/namespaces';

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A namespace stuck in termination: a finalizer holds an object in it. */
async function terminating(api: ConformanceApi): Promise<void> {
  const metadata = { name: 'held', finalizers: ['example.com/wait'] };
  (await api.post(api.path('configmaps'), configMap('held', { metadata }))).expect(201);
  (await api.delete(`${namespaces}/${api.namespace}`)).expect(200);
}

async function release(api: ConformanceApi): Promise<void> {
  await api.patch('merge', `${api.path('configmaps')}/held`, { metadata: { finalizers: null } });
}

export const namespaceCases = area('namespaces', {
  'a cluster has its system namespaces from the start': async (api) => {
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      const read = (await api.get(`${namespaces}/${name}`)).expect(200);
      assert.equal(read.at('status.phase'), 'Active');
    }
  },
  'a new namespace is active, has the kubernetes finalizer and its name as label': async (api) => {
    const read = (await api.get(`${namespaces}/${api.namespace}`)).expect(200);
    assert.equal(read.at('status.phase'), 'Active');
    assert.deepEqual(read.at('spec.finalizers'), ['kubernetes']);
    assert.deepEqual(read.at('metadata.labels'), { 'kubernetes.io/metadata.name': api.namespace });
  },
  'a new namespace gets its default service account': async (api) => {
    await eventually(async () => (await api.get(`${api.path('serviceaccounts')}/default`)).expect(200));
  },
  'a deleted default service account is recreated': async (api) => {
    const path = `${api.path('serviceaccounts')}/default`;
    const first = await eventually(async () => (await api.get(path)).expect(200));
    await api.delete(path);
    await eventually(async () => {
      const again = (await api.get(path)).expect(200);
      assert.notEqual(again.at('metadata.uid'), first.at('metadata.uid'));
    });
  },
  'the name of a namespace is a DNS label': async (api) => {
    (await api.post(namespaces, namespace('a.b'))).expectInvalid('metadata.name');
  },
  'a second namespace with the same name already exists': async (api) => {
    (await api.post(namespaces, namespace(api.namespace))).expectFailure(409, 'AlreadyExists');
  },
  'nothing is created in a namespace that does not exist': async (api) => {
    const path = '/api/v1/namespaces/there-is-no-such/configmaps';
    const reply = (await api.post(path, configMap('a'))).expectFailure(404, 'NotFound');
    assert.equal(reply.at('message'), 'namespaces "there-is-no-such" not found');
  },
  'nothing is applied in a namespace that does not exist': async (api) => {
    const path = '/api/v1/namespaces/there-is-no-such/configmaps/a?fieldManager=x';
    (await api.patch('apply', path, configMap('a'))).expectFailure(404, 'NotFound');
  },
  'a namespace that is deleted is terminating': async (api) => {
    const deleted = (await api.delete(`${namespaces}/${api.namespace}`)).expect(200);
    assert.equal(deleted.at('status.phase'), 'Terminating');
    assert.notEqual(deleted.at('metadata.deletionTimestamp'), undefined);
  },
  'the objects of a deleted namespace are deleted, then the namespace': async (api) => {
    (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    await api.delete(`${namespaces}/${api.namespace}`);
    await eventually(async () => {
      (await api.get(`${namespaces}/${api.namespace}`)).expectFailure(404, 'NotFound');
    });
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'a namespace waits for objects with finalizers': async (api) => {
    await terminating(api);
    await eventually(async () => {
      const held = (await api.get(`${api.path('configmaps')}/held`)).expect(200);
      assert.notEqual(held.at('metadata.deletionTimestamp'), undefined);
    });
    (await api.get(`${namespaces}/${api.namespace}`)).expect(200);
    await release(api);
    (await api.get(`${api.path('configmaps')}/held`)).expectFailure(404, 'NotFound');
  },
  'nothing is created in a terminating namespace': async (api) => {
    await terminating(api);
    await eventually(async () => {
      const reply = (await api.post(api.path('configmaps'), configMap('b'))).expectFailure(403, 'Forbidden');
      assert.equal(reply.at('details.causes.0.reason'), 'NamespaceTerminating');
      assert.equal(reply.at('details.causes.0.field'), 'metadata.namespace');
      assert.match(
        String(reply.at('message')),
        /^configmaps "b" is forbidden: unable to create new content in namespace .* because it is being terminated$/,
      );
    });
    await release(api);
  },
  'objects in a terminating namespace may still be changed': async (api) => {
    await terminating(api);
    (await api.patch('merge', `${api.path('configmaps')}/held`, { data: { x: 'y' } })).expect(200);
    await release(api);
  },
  'system namespaces cannot be deleted': async (api) => {
    for (const name of ['default', 'kube-system', 'kube-public']) {
      const reply = (await api.delete(`${namespaces}/${name}`)).expectFailure(403, 'Forbidden');
      assert.equal(
        reply.at('message'),
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      );
    }
  },
  'the finalize subresource removes finalizers of a namespace': async (api) => {
    const name = `${api.namespace}-finalize`;
    const created = (await api.post(namespaces, namespace(name))).expect(201).object();
    const spec = { finalizers: ['kubernetes', 'example.com/own'] };
    const written = await api.put(`${namespaces}/${name}/finalize`, { ...created, spec });
    assert.deepEqual(written.expect(200).at('spec.finalizers'), spec.finalizers);
    await api.delete(`${namespaces}/${name}`);
    await eventually(async () => {
      const read = (await api.get(`${namespaces}/${name}`)).expect(200);
      assert.deepEqual(read.at('spec.finalizers'), ['example.com/own']);
    });
    const held = (await api.get(`${namespaces}/${name}`)).object();
    (await api.put(`${namespaces}/${name}/finalize`, { ...held, spec: { finalizers: [] } })).expect(200);
    await eventually(async () => {
      (await api.get(`${namespaces}/${name}`)).expectFailure(404, 'NotFound');
    });
  },
  'an update of a namespace does not change its finalizers': async (api) => {
    const path = `${namespaces}/${api.namespace}`;
    await api.patch('merge', path, { spec: { finalizers: [] } });
    assert.deepEqual((await api.get(path)).at('spec.finalizers'), ['kubernetes']);
  },
  'namespaces are selected by phase': async (api) => {
    const list = await api.get(`${namespaces}?fieldSelector=status.phase%3DActive`);
    assert.ok(list.expect(200).list('items').length >= 4);
  },
  'namespaces cannot be deleted as a collection': async (api) => {
    (await api.delete(namespaces)).expectFailure(405, 'MethodNotAllowed');
  },
  'an empty namespace in an object defaults to that of the request': async (api) => {
    const body = configMap('a', { metadata: { name: 'a', namespace: '' } });
    const created = (await api.post(api.path('configmaps'), body)).expect(201);
    assert.equal(created.at('metadata.namespace'), api.namespace);
  },
});
