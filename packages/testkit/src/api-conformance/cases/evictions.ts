import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { pod } from '../objects.ts';
import { eventually } from '../patience.ts';
import type { ServerReply } from '../reply.ts';

const budgets = 'poddisruptionbudgets';

async function createPod(api: ConformanceApi, name: string, phase = 'Running'): Promise<void> {
  const body = { ...pod(name, { nodeName: 'absent' }), metadata: { name, labels: { app: 'a' } } };
  (await api.post(api.path('pods'), body)).expect(201);
  const conditions = phase === 'Running' ? [{ type: 'Ready', status: 'True' }] : [];
  const status = { phase, conditions };
  (await api.patch('merge', `${api.path('pods')}/${name}/status`, { status })).expect(200);
}

/**
 * A PodDisruptionBudget with the status that the disruption controller would write, because one may not run.
 */
async function createBudget(
  api: ConformanceApi,
  name: string,
  minAvailable: number,
  pods: number,
): Promise<void> {
  const spec = { minAvailable, selector: { matchLabels: { app: 'a' } } };
  const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec };
  (await api.post(api.path(budgets, 'policy/v1'), body)).expect(201);
  const status = {
    observedGeneration: 1,
    currentHealthy: pods,
    desiredHealthy: minAvailable,
    expectedPods: pods,
    disruptionsAllowed: Math.max(0, pods - minAvailable),
  };
  const path = `${api.path(budgets, 'policy/v1')}/${name}`;
  await eventually(async () => (await api.patch('merge', `${path}/status`, { status })).expect(200));
}

function evict(api: ConformanceApi, name: string, fields: JsonObject = {}, query = ''): Promise<ServerReply> {
  return api.post(`${api.path('pods')}/${name}/eviction${query}`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: api.namespace },
    ...fields,
  });
}

async function isGoing(api: ConformanceApi, name: string): Promise<boolean> {
  const read = await api.get(`${api.path('pods')}/${name}`);
  return read.status === 404 || read.at('metadata.deletionTimestamp') !== undefined;
}

/** The condition DisruptionTarget of a pod; empty if it has none. */
async function disruptionTarget(api: ConformanceApi, name: string): Promise<Record<string, unknown>> {
  const read = (await api.get(`${api.path('pods')}/${name}`)).expect(200);
  const conditions = read.at('status.conditions') as readonly Record<string, unknown>[];
  return { ...conditions.find(({ type }) => type === 'DisruptionTarget') };
}

export const evictionCases = area('subresources', {
  'an eviction without a budget deletes the pod': async (api) => {
    await createPod(api, 'a');
    const reply = (await evict(api, 'a')).expect(201);
    assert.equal(reply.at('kind'), 'Status');
    assert.equal(reply.at('status'), 'Success');
    assert.ok(await isGoing(api, 'a'));
  },
  'an eviction sets the grace period of the pod': async (api) => {
    await createPod(api, 'a');
    (await evict(api, 'a', { deleteOptions: { gracePeriodSeconds: 7 } })).expect(201);
    const read = (await api.get(`${api.path('pods')}/a`)).expect(200);
    assert.equal(read.at('metadata.deletionGracePeriodSeconds'), 7);
  },
  'an eviction says in a condition of the pod why it is deleted': async (api) => {
    await createPod(api, 'a');
    (await evict(api, 'a')).expect(201);
    const { lastTransitionTime, ...condition } = await disruptionTarget(api, 'a');
    assert.deepEqual(condition, {
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
    assert.match(String(lastTransitionTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  },
  'an eviction replaces the condition of an earlier disruption': async (api) => {
    await createPod(api, 'a');
    const earlier = { type: 'DisruptionTarget', status: 'True', reason: 'Other' };
    const status = { conditions: [earlier, { type: 'Ready', status: 'True' }] };
    (await api.patch('merge', `${api.path('pods')}/a/status`, { status })).expect(200);
    (await evict(api, 'a')).expect(201);
    const { reason, message } = await disruptionTarget(api, 'a');
    // Not the time: kube-apiserver mostly renews it, and sometimes keeps that of the earlier condition.
    assert.deepEqual(
      { reason, message },
      { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' },
    );
  },
  'a rejected or dry eviction and one of another pod leave no condition': async (api) => {
    await createPod(api, 'a');
    await evict(api, 'a', { deleteOptions: { dryRun: ['All'] } });
    const preconditions = { uid: '00000000-0000-0000-0000-000000000000' };
    (await evict(api, 'a', { deleteOptions: { preconditions } })).expectFailure(409, 'Conflict');
    await createBudget(api, 'budget', 1, 1);
    (await evict(api, 'a')).expectFailure(429, 'TooManyRequests');
    assert.deepEqual(await disruptionTarget(api, 'a'), {});
  },
  'an eviction with the resource version of the pod deletes it': async (api) => {
    await createPod(api, 'a');
    const resourceVersion = (await api.get(`${api.path('pods')}/a`)).at('metadata.resourceVersion');
    const preconditions = { resourceVersion };
    (await evict(api, 'a', { deleteOptions: { preconditions } } as JsonObject)).expect(201);
    assert.ok(await isGoing(api, 'a'));
  },
  'an exhausted budget rejects an eviction with the reason': async (api) => {
    await createPod(api, 'a');
    await createBudget(api, 'budget', 1, 1);
    const reply = (await evict(api, 'a')).expectFailure(429, 'TooManyRequests');
    assert.equal(reply.at('message'), "Cannot evict pod as it would violate the pod's disruption budget.");
    assert.equal(reply.at('details.causes.0.reason'), 'DisruptionBudget');
    assert.equal(
      reply.at('details.causes.0.message'),
      'The disruption budget budget needs 1 healthy pods and has 1 currently',
    );
    assert.equal(await isGoing(api, 'a'), false);
  },
  'a budget with allowed disruptions permits an eviction and counts it': async (api) => {
    await createPod(api, 'a');
    await createPod(api, 'b');
    await createBudget(api, 'budget', 1, 2);
    (await evict(api, 'a')).expect(201);
    assert.ok(await isGoing(api, 'a'));
    const budget = await api.get(`${api.path(budgets, 'policy/v1')}/budget`);
    assert.equal(budget.at('status.disruptionsAllowed'), 0);
    (await evict(api, 'b')).expectFailure(429, 'TooManyRequests');
  },
  'a budget without an observed generation returns 429 with a retry delay': async (api) => {
    await createPod(api, 'a');
    await createBudget(api, 'budget', 1, 1);
    const path = `${api.path(budgets, 'policy/v1')}/budget`;
    const status = { observedGeneration: 0 };
    await eventually(async () => {
      await api.patch('merge', `${path}/status`, { status });
      const reply = (await evict(api, 'a')).expectFailure(429, 'TooManyRequests');
      assert.equal(
        reply.at('details.causes.0.message'),
        'The disruption budget budget is still being processed by the server.',
      );
      assert.equal(reply.headers['retry-after'], '10');
      assert.equal(reply.at('details.retryAfterSeconds'), 10);
    });
  },
  'a pod under two budgets cannot be evicted': async (api) => {
    await createPod(api, 'a');
    await createBudget(api, 'one', 0, 1);
    await createBudget(api, 'two', 0, 1);
    await eventually(async () => {
      const reply = (await evict(api, 'a')).expect(500);
      assert.equal(
        reply.at('message'),
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    });
    assert.equal(await isGoing(api, 'a'), false);
  },
  'a terminated pod is evicted regardless of its budget': async (api) => {
    await createPod(api, 'a', 'Succeeded');
    await createBudget(api, 'budget', 1, 0);
    (await evict(api, 'a')).expect(201);
    assert.ok(await isGoing(api, 'a'));
  },
  'a pending pod is evicted regardless of its budget': async (api) => {
    const body = { ...pod('a', { schedulingGates: [{ name: 'example.com/wait' }] }) };
    const metadata = { name: 'a', labels: { app: 'a' } };
    (await api.post(api.path('pods'), { ...body, metadata })).expect(201);
    await createBudget(api, 'budget', 1, 0);
    (await evict(api, 'a')).expect(201);
    assert.ok(await isGoing(api, 'a'));
  },
  'a budget in another namespace does not count': async (api) => {
    await createPod(api, 'a');
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'other' } } };
    const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec };
    (await api.post(api.path(budgets, 'policy/v1'), body)).expect(201);
    (await evict(api, 'a')).expect(201);
  },
  'a dry run of an eviction changes neither pod nor budget': async (api) => {
    await createPod(api, 'a');
    await createBudget(api, 'budget', 0, 1);
    (await evict(api, 'a', {}, '?dryRun=All')).expect(201);
    assert.equal(await isGoing(api, 'a'), false);
    const budget = await api.get(`${api.path(budgets, 'policy/v1')}/budget`);
    assert.equal(budget.at('status.disruptionsAllowed'), 1);
  },
  'an exhausted budget rejects a dry run of an eviction': async (api) => {
    await createPod(api, 'a');
    await createBudget(api, 'budget', 1, 1);
    (await evict(api, 'a', {}, '?dryRun=All')).expectFailure(429, 'TooManyRequests');
  },
  'the eviction of a pod that does not exist is not found': async (api) => {
    (await evict(api, 'absent')).expectFailure(404, 'NotFound');
  },
  'an eviction under another name than the pod is a bad request': async (api) => {
    await createPod(api, 'a');
    const reply = await evict(api, 'a', { metadata: { name: 'b', namespace: api.namespace } });
    reply.expectFailure(400, 'BadRequest');
    assert.equal(await isGoing(api, 'a'), false);
  },
  'an eviction with a wrong uid in its preconditions is a conflict': async (api) => {
    await createPod(api, 'a');
    const preconditions = { uid: '00000000-0000-0000-0000-000000000000' };
    (await evict(api, 'a', { deleteOptions: { preconditions } })).expectFailure(409, 'Conflict');
    assert.equal(await isGoing(api, 'a'), false);
  },
  'evictions allow POST only': async (api) => {
    await createPod(api, 'a');
    (await api.get(`${api.path('pods')}/a/eviction`)).expectFailure(405, 'MethodNotAllowed');
  },
});
