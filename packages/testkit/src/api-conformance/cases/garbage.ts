import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap } from '../objects.ts';
import { eventually } from '../patience.ts';
import type { ServerReply } from '../reply.ts';

async function create(
  api: ConformanceApi,
  name: string,
  owners: readonly JsonObject[] = [],
): Promise<ServerReply> {
  const metadata = { name, ownerReferences: owners };
  return (await api.post(api.path('configmaps'), configMap(name, { metadata }))).expect(201);
}

function owner(reply: ServerReply, fields: JsonObject = {}): JsonObject {
  return {
    apiVersion: String(reply.at('apiVersion')),
    kind: String(reply.at('kind')),
    name: String(reply.at('metadata.name')),
    uid: String(reply.at('metadata.uid')),
    ...fields,
  };
}

function gone(api: ConformanceApi, name: string): Promise<ServerReply> {
  return eventually(async () =>
    (await api.get(`${api.path('configmaps')}/${name}`)).expectFailure(404, 'NotFound'),
  );
}

export const garbageCases = area('garbage collection', {
  'an object with another owner stays and loses the reference to the deleted one': async (api) => {
    const [one, two] = [await create(api, 'one'), await create(api, 'two')];
    await create(api, 'dependent', [owner(one), owner(two)]);
    await api.delete(`${api.path('configmaps')}/one`);
    await eventually(async () => {
      const read = (await api.get(`${api.path('configmaps')}/dependent`)).expect(200);
      assert.equal(read.list('metadata.ownerReferences').length, 1);
      assert.equal(read.at('metadata.ownerReferences.0.name'), 'two');
    });
  },
  'an object is deleted with the last of its owners': async (api) => {
    const [one, two] = [await create(api, 'one'), await create(api, 'two')];
    await create(api, 'dependent', [owner(one), owner(two)]);
    await api.delete(`${api.path('configmaps')}/one`);
    await api.delete(`${api.path('configmaps')}/two`);
    await gone(api, 'dependent');
  },
  'an object with a missing owner is deleted': async (api) => {
    const nobody = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'never',
      uid: '00000000-0000-4000-8000-000000000000',
    };
    await create(api, 'dependent', [nobody]);
    await gone(api, 'dependent');
  },
  'an object whose owner was recreated is deleted': async (api) => {
    const first = await create(api, 'owner');
    await api.delete(`${api.path('configmaps')}/owner`);
    await create(api, 'owner');
    await create(api, 'dependent', [owner(first)]);
    await gone(api, 'dependent');
  },
  'dependents of dependents are deleted too': async (api) => {
    const top = await create(api, 'top');
    const middle = await create(api, 'middle', [owner(top)]);
    await create(api, 'bottom', [owner(middle)]);
    await api.delete(`${api.path('configmaps')}/top`);
    await gone(api, 'middle');
    await gone(api, 'bottom');
  },
  'a cluster-scoped owner owns objects in any namespace': async (api) => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const metadata = { name: api.namespace };
    const body = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: 1 };
    const created = (await api.post(path, body)).expect(201);
    await create(api, 'dependent', [owner(created)]);
    (await api.get(`${api.path('configmaps')}/dependent`)).expect(200);
    await api.delete(`${path}/${api.namespace}`);
    await gone(api, 'dependent');
  },
  'an owner in another namespace does not count': async (api) => {
    const elsewhere = '/api/v1/namespaces/default/configmaps';
    const other = (await api.post(elsewhere, configMap(api.namespace))).expect(201);
    await create(api, 'dependent', [owner(other)]);
    await gone(api, 'dependent');
    (await api.delete(`${elsewhere}/${api.namespace}`)).expect(200);
  },
  'a dependent waits for its finalizers': async (api) => {
    const one = await create(api, 'one');
    const metadata = { name: 'dependent', ownerReferences: [owner(one)], finalizers: ['example.com/wait'] };
    (await api.post(api.path('configmaps'), configMap('dependent', { metadata }))).expect(201);
    await api.delete(`${api.path('configmaps')}/one`);
    await eventually(async () => {
      const read = (await api.get(`${api.path('configmaps')}/dependent`)).expect(200);
      assert.notEqual(read.at('metadata.deletionTimestamp'), undefined);
    });
    await api.patch('merge', `${api.path('configmaps')}/dependent`, { metadata: { finalizers: null } });
    await gone(api, 'dependent');
  },
  'a foreground delete does not wait for dependents without blockOwnerDeletion': async (api) => {
    const one = await create(api, 'one');
    const metadata = { name: 'dependent', ownerReferences: [owner(one)], finalizers: ['example.com/wait'] };
    (await api.post(api.path('configmaps'), configMap('dependent', { metadata }))).expect(201);
    await api.delete(`${api.path('configmaps')}/one`, { propagationPolicy: 'Foreground' });
    await gone(api, 'one');
    await api.patch('merge', `${api.path('configmaps')}/dependent`, { metadata: { finalizers: null } });
  },
  'an owner without uid is invalid': async (api) => {
    const metadata = {
      name: 'a',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '' }],
    };
    const reply = await api.post(api.path('configmaps'), configMap('a', { metadata }));
    reply.expectInvalid('metadata.ownerReferences.uid');
  },
  'two controller references are invalid': async (api) => {
    const [one, two] = [await create(api, 'one'), await create(api, 'two')];
    const ownerReferences = [owner(one, { controller: true }), owner(two, { controller: true })];
    const metadata = { name: 'a', ownerReferences };
    const reply = await api.post(api.path('configmaps'), configMap('a', { metadata }));
    reply.expectInvalid('metadata.ownerReferences');
  },
});
