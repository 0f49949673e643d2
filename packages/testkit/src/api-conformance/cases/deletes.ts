import assert from 'node:assert/strict';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, pod } from '../objects.ts';
import { valueAt } from '../reply.ts';

function finalized(name: string, ...finalizers: readonly string[]) {
  return configMap(name, { metadata: { name, finalizers } });
}

/** A pod bound to a node, as if it ran there. */
async function boundPod(api: ConformanceApi, name: string, spec = {}): Promise<void> {
  (await api.post(api.path('pods'), pod(name, { nodeName: 'nowhere', ...spec }))).expect(201);
}

/** The config maps `owner` and `dependent`, the second owned by the first. */
async function createOwned(
  api: ConformanceApi,
  reference = {},
  finalizers: readonly string[] = [],
): Promise<void> {
  const owner = await api.post(api.path('configmaps'), configMap('owner'));
  const uid = owner.at('metadata.uid') ?? '';
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, ...reference }];
  await api.post(
    api.path('configmaps'),
    configMap('dependent', { metadata: { name: 'dependent', ownerReferences, finalizers } }),
  );
}

export const deleteCases = area('deletes', {
  'a deleted object is gone and the response names it': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a'));
    const reply = (await api.delete(`${api.path('configmaps')}/a`)).expect(200);
    assert.equal(reply.at('kind'), 'Status');
    assert.equal(reply.at('status'), 'Success');
    assert.deepEqual(reply.at('details'), { name: 'a', kind: 'configmaps', uid: created.at('metadata.uid') });
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'deleting a missing object is not found': async (api) => {
    const reply = (await api.delete(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
    assert.equal(reply.at('message'), 'configmaps "a" not found');
  },
  'a finalizer keeps a deleted object, with a deletion timestamp': async (api) => {
    await api.post(api.path('configmaps'), finalized('a', 'example.com/wait'));
    const reply = (await api.delete(`${api.path('configmaps')}/a`)).expect(200);
    assert.equal(reply.at('kind'), 'ConfigMap');
    const read = (await api.get(`${api.path('configmaps')}/a`)).expect(200);
    assert.match(String(read.at('metadata.deletionTimestamp')), /Z$/);
    assert.equal(read.at('metadata.deletionGracePeriodSeconds'), 0);
  },
  'removing the last finalizer of a deleted object removes it': async (api) => {
    await api.post(api.path('configmaps'), finalized('a', 'example.com/wait'));
    await api.delete(`${api.path('configmaps')}/a`);
    (await api.patch('merge', `${api.path('configmaps')}/a`, { metadata: { finalizers: null } })).expect(200);
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'removing one of two finalizers keeps the object': async (api) => {
    await api.post(api.path('configmaps'), finalized('a', 'example.com/one', 'example.com/two'));
    await api.delete(`${api.path('configmaps')}/a`);
    const patch = { metadata: { finalizers: ['example.com/two'] } };
    (await api.patch('merge', `${api.path('configmaps')}/a`, patch)).expect(200);
    (await api.get(`${api.path('configmaps')}/a`)).expect(200);
  },
  'no finalizer can be added to a deleted object': async (api) => {
    await api.post(api.path('configmaps'), finalized('a', 'example.com/one'));
    await api.delete(`${api.path('configmaps')}/a`);
    const patch = { metadata: { finalizers: ['example.com/one', 'example.com/new'] } };
    const reply = await api.patch('merge', `${api.path('configmaps')}/a`, patch);
    reply.expectInvalid('metadata.finalizers');
    assert.match(
      String(reply.at('message')),
      /no new finalizers can be added if the object is being deleted/,
    );
  },
  'the deletion timestamp cannot be removed': async (api) => {
    await api.post(api.path('configmaps'), finalized('a', 'example.com/one'));
    await api.delete(`${api.path('configmaps')}/a`);
    await api.patch('merge', `${api.path('configmaps')}/a`, { metadata: { deletionTimestamp: null } });
    const read = await api.get(`${api.path('configmaps')}/a`);
    assert.match(String(read.at('metadata.deletionTimestamp')), /Z$/);
  },
  'the uid of another object is a conflict': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const reply = await api.delete(`${api.path('configmaps')}/a`, { preconditions: { uid: 'other' } });
    reply.expectFailure(409, 'Conflict');
    assert.match(
      String(reply.at('message')),
      /the UID in the precondition \(other\) does not match the UID in record/,
    );
  },
  'an old resource version is a conflict': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const reply = await api.delete(`${api.path('configmaps')}/a`, {
      preconditions: { resourceVersion: '1' },
    });
    reply.expectFailure(409, 'Conflict');
  },
  'a delete with matching preconditions succeeds': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a'));
    const preconditions = {
      uid: created.at('metadata.uid') ?? '',
      resourceVersion: created.at('metadata.resourceVersion') ?? '',
    };
    (await api.delete(`${api.path('configmaps')}/a`, { preconditions })).expect(200);
  },
  'a dry run deletes nothing': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    (await api.delete(`${api.path('configmaps')}/a?dryRun=All`)).expect(200);
    (await api.get(`${api.path('configmaps')}/a`)).expect(200);
  },
  'a pod on a node gets its grace period': async (api) => {
    await boundPod(api, 'a', { terminationGracePeriodSeconds: 7 });
    const reply = (await api.delete(`${api.path('pods')}/a`)).expect(200);
    assert.equal(reply.at('kind'), 'Pod');
    assert.equal(reply.at('metadata.deletionGracePeriodSeconds'), 7);
    (await api.get(`${api.path('pods')}/a`)).expect(200);
  },
  'a grace period of zero deletes a pod at once': async (api) => {
    await boundPod(api, 'a');
    (await api.delete(`${api.path('pods')}/a`, { gracePeriodSeconds: 0 })).expect(200);
    (await api.get(`${api.path('pods')}/a`)).expectFailure(404, 'NotFound');
  },
  'a grace period can be shortened': async (api) => {
    await boundPod(api, 'a');
    await api.delete(`${api.path('pods')}/a`);
    const shorter = (await api.delete(`${api.path('pods')}/a`, { gracePeriodSeconds: 3 })).expect(200);
    assert.equal(shorter.at('metadata.deletionGracePeriodSeconds'), 3);
  },
  'a grace period cannot be made longer': async (api) => {
    await boundPod(api, 'a', { terminationGracePeriodSeconds: 5 });
    await api.delete(`${api.path('pods')}/a`);
    const longer = (await api.delete(`${api.path('pods')}/a`, { gracePeriodSeconds: 50 })).expect(200);
    assert.equal(longer.at('metadata.deletionGracePeriodSeconds'), 5);
  },
  'an unbound pod is deleted at once': async (api) => {
    (await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }))).expect(201);
    (await api.delete(`${api.path('pods')}/a`)).expect(200);
    (await api.get(`${api.path('pods')}/a`)).expectFailure(404, 'NotFound');
  },
  'an unknown propagation policy is rejected': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const reply = await api.delete(`${api.path('configmaps')}/a`, { propagationPolicy: 'Sideways' });
    assert.ok(reply.status === 422 || reply.status === 400, `${reply.status}`);
  },
  'delete options may be query parameters': async (api) => {
    await boundPod(api, 'a');
    (await api.delete(`${api.path('pods')}/a?gracePeriodSeconds=0`)).expect(200);
    (await api.get(`${api.path('pods')}/a`)).expectFailure(404, 'NotFound');
  },
  'a collection is deleted by selector': async (api) => {
    for (const name of ['a', 'b']) {
      await api.post(api.path('configmaps'), configMap(name, { metadata: { name, labels: { name } } }));
    }
    const reply = (await api.delete(`${api.path('configmaps')}?labelSelector=name%3Da`)).expect(200);
    assert.equal(reply.at('kind'), 'ConfigMapList');
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
    (await api.get(`${api.path('configmaps')}/b`)).expect(200);
  },
  'dependents are deleted with their owner': async (api) => {
    await createOwned(api);
    const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Ddependent');
    await api.delete(`${api.path('configmaps')}/owner`, { propagationPolicy: 'Background' });
    assert.equal(await watch.next(), 'ADDED dependent');
    assert.equal(await watch.next(), 'DELETED dependent');
    watch.close();
  },
  'a delete with orphan propagation keeps the dependents': async (api) => {
    await createOwned(api);
    const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Downer');
    await api.delete(`${api.path('configmaps')}/owner`, { propagationPolicy: 'Orphan' });
    for (let event = await watch.next(); event !== 'DELETED owner'; ) event = await watch.next();
    watch.close();
    const read = (await api.get(`${api.path('configmaps')}/dependent`)).expect(200);
    assert.equal(read.at('metadata.ownerReferences'), undefined);
  },
  'a delete with foreground propagation waits for the dependents': async (api) => {
    await createOwned(api, { blockOwnerDeletion: true }, ['example.com/wait']);
    const watch = await api.watch(api.path('configmaps'));
    const marked = await api.delete(`${api.path('configmaps')}/owner`, { propagationPolicy: 'Foreground' });
    assert.deepEqual(marked.at('metadata.finalizers'), ['foregroundDeletion']);
    for (;;) {
      const event = await watch.nextEvent();
      const name = valueAt(event, 'object.metadata.name');
      if (name === 'dependent' && valueAt(event, 'object.metadata.deletionTimestamp') !== undefined) break;
    }
    (await api.get(`${api.path('configmaps')}/owner`)).expect(200);
    await api.patch('merge', `${api.path('configmaps')}/dependent`, { metadata: { finalizers: null } });
    for (let event = ''; event !== 'DELETED owner'; ) event = await watch.next();
    watch.close();
  },
});
