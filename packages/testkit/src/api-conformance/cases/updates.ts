import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { configMap, deployment, pod } from '../objects.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const deployments = (api: ConformanceApi): string => api.path('deployments', 'apps/v1');

/** The object of a reply, to send back. */
function again(reply: ServerReply, changes: JsonObject = {}): JsonObject {
  return { ...reply.object(), ...changes };
}

export const updateCases = area('updates', {
  'a replacement changes the object and its version': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const reply = (await api.put(`${api.path('configmaps')}/a`, again(created, { data: { y: '2' } }))).expect(
      200,
    );
    assert.deepEqual(reply.at('data'), { y: '2' });
    assert.ok(Number(reply.at('metadata.resourceVersion')) > Number(created.at('metadata.resourceVersion')));
    assert.equal(reply.at('metadata.uid'), created.at('metadata.uid'));
    assert.equal(reply.at('metadata.creationTimestamp'), created.at('metadata.creationTimestamp'));
  },
  'a replacement of an older version is a conflict': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a'));
    await api.put(`${api.path('configmaps')}/a`, again(created, { data: { x: '1' } }));
    const reply = await api.put(`${api.path('configmaps')}/a`, again(created, { data: { x: '2' } }));
    reply.expectFailure(409, 'Conflict');
    assert.equal(
      reply.at('message'),
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
    assert.deepEqual(reply.at('details'), { name: 'a', kind: 'configmaps' });
  },
  'a replacement without resource version overwrites': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const reply = (await api.put(`${api.path('configmaps')}/a`, configMap('a', { data: { z: '3' } }))).expect(
      200,
    );
    assert.deepEqual(reply.at('data'), { z: '3' });
  },
  'a replacement of a missing object is not found': async (api) => {
    (await api.put(`${api.path('configmaps')}/a`, configMap('a'))).expectFailure(404, 'NotFound');
  },
  'a replacement that changes nothing keeps the version': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }));
    const reply = (await api.put(`${api.path('configmaps')}/a`, again(created))).expect(200);
    assert.equal(reply.at('metadata.resourceVersion'), created.at('metadata.resourceVersion'));
  },
  'the name in the body must be that of the path': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const reply = (await api.put(`${api.path('configmaps')}/a`, configMap('b'))).expectFailure(
      400,
      'BadRequest',
    );
    assert.equal(reply.at('message'), 'the name of the object (b) does not match the name on the URL (a)');
  },
  'the namespace in the body must be that of the path': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const body = configMap('a', { metadata: { name: 'a', namespace: 'default' } });
    (await api.put(`${api.path('configmaps')}/a`, body)).expectFailure(400, 'BadRequest');
  },
  'the uid of another object is a conflict': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const body = configMap('a', { metadata: { name: 'a', uid: '11111111-1111-1111-1111-111111111111' } });
    (await api.put(`${api.path('configmaps')}/a`, body)).expectFailure(409, 'Conflict');
  },
  'a change of spec raises the generation': async (api) => {
    await api.post(deployments(api), deployment('a'));
    const reply = await api.patch('merge', `${deployments(api)}/a`, { spec: { paused: true } });
    assert.equal(reply.expect(200).at('metadata.generation'), 2);
  },
  'a change of labels does not raise the generation': async (api) => {
    await api.post(deployments(api), deployment('a', { paused: true }));
    const reply = await api.patch('merge', `${deployments(api)}/a`, { metadata: { labels: { x: 'y' } } });
    assert.equal(reply.expect(200).at('metadata.generation'), 1);
  },
  'the generation that a client sends is ignored': async (api) => {
    await api.post(deployments(api), deployment('a'));
    const reply = await api.patch('merge', `${deployments(api)}/a`, { metadata: { generation: 77 } });
    assert.equal(reply.expect(200).at('metadata.generation'), 1);
  },
  'a write to the object does not change its status': async (api) => {
    await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }));
    const reply = await api.patch('merge', `${api.path('pods')}/a`, { status: { phase: 'Running' } });
    assert.equal(reply.expect(200).at('status.phase'), 'Pending');
  },
  'a write to the status changes nothing else': async (api) => {
    await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }));
    const reply = await api.patch('merge', `${api.path('pods')}/a/status`, {
      metadata: { labels: { x: 'y' } },
      spec: { activeDeadlineSeconds: 5 },
      status: { phase: 'Running' },
    });
    assert.equal(reply.expect(200).at('status.phase'), 'Running');
    assert.equal(reply.at('spec.activeDeadlineSeconds'), undefined);
  },
  'a write to the status does not raise the generation': async (api) => {
    await api.post(deployments(api), deployment('a', { paused: true }));
    const reply = await api.patch('merge', `${deployments(api)}/a/status`, {
      status: { observedGeneration: 1 },
    });
    assert.equal(reply.expect(200).at('metadata.generation'), 1);
  },
  'the status can be read by itself': async (api) => {
    await api.post(deployments(api), deployment('a'));
    assert.equal((await api.get(`${deployments(api)}/a/status`)).expect(200).at('kind'), 'Deployment');
  },
  'a kind without status has no such path': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    (await api.get(`${api.path('configmaps')}/a/status`)).expectFailure(404, 'NotFound');
  },
  'the containers of a pod cannot be replaced': async (api) => {
    await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }));
    const reply = await api.patch('merge', `${api.path('pods')}/a`, { spec: { restartPolicy: 'Never' } });
    reply.expectInvalid('spec');
    assert.match(String(reply.at('message')), /pod updates may not change fields other than/);
  },
  'the image of a pod can be changed': async (api) => {
    await api.post(api.path('pods'), pod('a', { schedulerName: 'none' }));
    const patch = { spec: { containers: [{ name: 'main', image: 'registry.example/app:2' }] } };
    (await api.patch('strategic', `${api.path('pods')}/a`, patch)).expect(200);
  },
  'the selector of a deployment cannot be changed': async (api) => {
    await api.post(deployments(api), deployment('a'));
    const reply = await api.patch('merge', `${deployments(api)}/a`, {
      spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
    });
    reply.expectInvalid('spec.selector');
    assert.match(String(reply.at('message')), /field is immutable/);
  },
  'a dry run of a replacement stores nothing': async (api) => {
    const created = await api.post(api.path('configmaps'), configMap('a'));
    const reply = await api.put(
      `${api.path('configmaps')}/a?dryRun=All`,
      again(created, { data: { x: '1' } }),
    );
    assert.deepEqual(reply.expect(200).at('data'), { x: '1' });
    assert.equal((await api.get(`${api.path('configmaps')}/a`)).at('data'), undefined);
  },
  'an immutable config map rejects new data': async (api) => {
    await api.post(api.path('configmaps'), configMap('a', { immutable: true, data: { x: '1' } }));
    (await api.patch('merge', `${api.path('configmaps')}/a`, { data: { x: '2' } })).expectInvalid('data');
  },
  'two writers each keep their own fields': async (api) => {
    const body = configMap('a', { data: { x: '1' } });
    await api.request('POST', `${api.path('configmaps')}?fieldManager=one`, { body });
    const reply = await api.request('PATCH', `${api.path('configmaps')}/a?fieldManager=two`, {
      body: { data: { y: '2' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const owners = reply
      .expect(200)
      .list('metadata.managedFields')
      .map((entry) => [valueAt(entry, 'manager'), valueAt(entry, 'fieldsV1')]);
    assert.deepEqual(owners, [
      ['one', { 'f:data': { '.': {}, 'f:x': {} } }],
      ['two', { 'f:data': { 'f:y': {} } }],
    ]);
  },
});
