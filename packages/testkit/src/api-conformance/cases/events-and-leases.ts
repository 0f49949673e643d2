import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { type ServerReply, valueAt } from '../reply.ts';

function event(api: ConformanceApi, name: string, fields: JsonObject = {}): JsonObject {
  const involvedObject = { kind: 'Pod', name: 'web', namespace: api.namespace, uid: 'u1' };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject,
    reason: 'Started',
    type: 'Normal',
    message: 'it runs',
    ...fields,
  };
}

function names(list: ServerReply): readonly string[] {
  return list.list('items').map((item) => String(valueAt(item, 'metadata.name')));
}

async function createEvents(api: ConformanceApi): Promise<void> {
  const other = { kind: 'Node', name: 'big', namespace: '', uid: 'u2' };
  (await api.post(api.path('events'), event(api, 'a'))).expect(201);
  const metadata = { name: 'b' };
  const second = event(api, 'b', { metadata, involvedObject: { ...other, namespace: api.namespace } });
  (await api.post(api.path('events'), { ...second, reason: 'Failed', type: 'Warning' })).expect(201);
}

export const eventCases = area('events', {
  'an event is created and read': async (api) => {
    (await api.post(api.path('events'), event(api, 'a'))).expect(201);
    const read = (await api.get(`${api.path('events')}/a`)).expect(200);
    assert.equal(read.at('involvedObject.name'), 'web');
    assert.equal(read.at('message'), 'it runs');
  },
  'an event appears in both API groups': async (api) => {
    (await api.post(api.path('events'), event(api, 'a'))).expect(201);
    const read = (await api.get(`${api.path('events', 'events.k8s.io/v1')}/a`)).expect(200);
    assert.equal(read.at('apiVersion'), 'events.k8s.io/v1');
    assert.equal(read.at('regarding.name'), 'web');
    assert.equal(read.at('note'), 'it runs');
    assert.equal(read.at('involvedObject'), undefined);
  },
  'an event of events.k8s.io appears in the core group': async (api) => {
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'a' },
      eventTime: '2026-01-02T03:04:05.000006Z',
      reportingController: 'example.com/robot',
      reportingInstance: 'robot-1',
      action: 'Looking',
      reason: 'Seen',
      type: 'Normal',
      note: 'hello',
      regarding: { kind: 'Pod', name: 'web', namespace: api.namespace },
    };
    (await api.post(api.path('events', 'events.k8s.io/v1'), body)).expect(201);
    const read = (await api.get(`${api.path('events')}/a`)).expect(200);
    assert.equal(read.at('involvedObject.name'), 'web');
    assert.equal(read.at('message'), 'hello');
    assert.equal(read.at('reportingComponent'), 'example.com/robot');
  },
  'an event of events.k8s.io needs an eventTime': async (api) => {
    const regarding = { kind: 'Pod', name: 'web', namespace: api.namespace };
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'a' },
      regarding,
      type: 'Normal',
    };
    (await api.post(api.path('events', 'events.k8s.io/v1'), body)).expectFailure(422, 'Invalid');
  },
  'events can be selected by involvedObject': async (api) => {
    await createEvents(api);
    const select = async (selector: string) =>
      names(
        (await api.get(`${api.path('events')}?fieldSelector=${encodeURIComponent(selector)}`)).expect(200),
      );
    assert.deepEqual(await select('involvedObject.name=web'), ['a']);
    assert.deepEqual(await select('involvedObject.kind=Node,involvedObject.uid=u2'), ['b']);
    assert.deepEqual(await select('reason=Failed'), ['b']);
    assert.deepEqual(await select('type!=Warning'), ['a']);
  },
  'events of events.k8s.io can be selected by regarding': async (api) => {
    await createEvents(api);
    const path = `${api.path('events', 'events.k8s.io/v1')}?fieldSelector=regarding.name%3Dbig`;
    assert.deepEqual(names((await api.get(path)).expect(200)), ['b']);
  },
  'an event about another namespace is invalid': async (api) => {
    const involvedObject = { kind: 'Pod', name: 'web', namespace: 'default' };
    (await api.post(api.path('events'), event(api, 'a', { involvedObject }))).expectFailure(422, 'Invalid');
  },
  'the count of an event can be patched': async (api) => {
    (await api.post(api.path('events'), event(api, 'a', { count: 1 }))).expect(201);
    const patched = await api.patch('strategic', `${api.path('events')}/a`, { count: 2 });
    assert.equal(patched.expect(200).at('count'), 2);
  },
  'a watch of one group sees events of the other': async (api) => {
    const watch = await api.watch(api.path('events', 'events.k8s.io/v1'));
    (await api.post(api.path('events'), event(api, 'a'))).expect(201);
    const seen = await watch.nextEvent();
    assert.equal(valueAt(seen, 'object.apiVersion'), 'events.k8s.io/v1');
    assert.equal(valueAt(seen, 'object.regarding.name'), 'web');
    watch.close();
  },
});

function lease(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
}

const group = 'coordination.k8s.io/v1';

export const leaseCases = area('leases', {
  'a lease keeps its microseconds': async (api) => {
    const spec = { holderIdentity: 'x', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.123456Z' };
    const created = (await api.post(api.path('leases', group), lease('a', spec))).expect(201);
    assert.equal(created.at('spec.renewTime'), '2026-01-02T03:04:05.123456Z');
  },
  'of two renewals from the same version, one is a conflict': async (api) => {
    const created = (await api.post(api.path('leases', group), lease('a', { holderIdentity: 'x' }))).expect(
      201,
    );
    const path = `${api.path('leases', group)}/a`;
    (await api.put(path, { ...created.object(), spec: { holderIdentity: 'y' } })).expect(200);
    (await api.put(path, { ...created.object(), spec: { holderIdentity: 'z' } })).expectFailure(
      409,
      'Conflict',
    );
    assert.equal((await api.get(path)).at('spec.holderIdentity'), 'y');
  },
  'a lease with duration zero is invalid': async (api) => {
    const reply = await api.post(api.path('leases', group), lease('a', { leaseDurationSeconds: 0 }));
    reply.expectInvalid('spec.leaseDurationSeconds');
  },
  'an invalid time is a bad request': async (api) => {
    const reply = await api.post(api.path('leases', group), lease('a', { renewTime: 'now' }));
    reply.expectFailure(400, 'BadRequest');
  },
});
