import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isDisruptionBudgetRefusal,
  isGone,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  type KubeClient,
  kinds,
  type ObjectKey,
  type WatchEvent,
} from '@karpenter/kube/client';
import type { ConfigMap, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it, vi } from 'vitest';
import { connectToPlane, onEachServer, patience } from './kube-connection.ts';
import { createCustomKinds } from './kube-custom-kind.ts';

const container = { name: 'main', image: 'registry.invalid/main:1' };

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it was accepted'),
    (error: unknown) => error,
  );
}

/** A pod that kube-scheduler ignores. */
function unscheduled(namespace: string, name: string): Pod {
  const labels = { app: name };
  return {
    metadata: { name, namespace, labels },
    spec: { schedulerName: 'nobody', containers: [container] },
  };
}

async function createNode(client: KubeClient, name: string): Promise<void> {
  await client.create(kinds.node, { metadata: { name } });
}

/**
 * Sets the status as if a kubelet had started the pod, because a PodDisruptionBudget counts only such pods.
 */
async function markReady(client: KubeClient, key: ObjectKey): Promise<void> {
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  await client.patch(kinds.pod, key, { type: 'strategic', body }, { subresource: 'status' });
}

onEachServer('the client on %s', (connectToPlane) => {
  it('creates, reads, lists, replaces and deletes', async () => {
    const { client, namespace } = await connectToPlane();
    const key = { namespace, name: 'one' };
    const made = await client.create(kinds.configMap, { metadata: key, data: { a: '1' } });
    expect(made).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });

    const replaced = await client.replace(kinds.configMap, { ...made, data: { a: '2' } });
    expect(replaced.data).toEqual({ a: '2' });
    expect(await client.get(kinds.configMap, key)).toEqual(replaced);
    const { items } = await client.list(kinds.configMap, { namespace, fieldSelector: 'metadata.name=one' });
    expect(items).toEqual([replaced]);

    await client.delete(kinds.configMap, key);
    expect(await rejection(client.get(kinds.configMap, key))).toSatisfy(isNotFound);
  });

  it('lets the server generate a name', async () => {
    const { client, namespace } = await connectToPlane();
    const { metadata } = await client.create(kinds.configMap, {
      metadata: { generateName: 'some-', namespace },
    });
    expect(metadata?.name).toMatch(/^some-[a-z0-9]{5}$/);
  });

  it('lists in pages', async () => {
    const { client, namespace } = await connectToPlane();
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    await Promise.all(names.map((name) => client.create(kinds.configMap, { metadata: { name, namespace } })));
    const selection = { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' };
    const first = await client.list(kinds.configMap, { ...selection, limit: 5 });
    expect(first.items).toHaveLength(5);
    const rest = await client.list(kinds.configMap, {
      ...selection,
      limit: 5,
      ...(first.continue === undefined ? {} : { continue: first.continue }),
    });
    expect(rest.resourceVersion).toBe(first.resourceVersion);
    expect([...first.items, ...rest.items].map(({ metadata }) => metadata?.name)).toEqual(names);
  });

  it('deletes the objects that a selector matches', async () => {
    const { client, namespace } = await connectToPlane();
    for (const name of ['a', 'b']) {
      await client.create(kinds.configMap, { metadata: { name, namespace, labels: { pick: name } } });
    }
    await client.deleteAll(kinds.configMap, { namespace, labelSelector: 'pick=a' });
    const { items } = await client.list(kinds.configMap, { namespace, labelSelector: 'pick' });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['b']);
  });

  it('writes nothing in a dry run', async () => {
    const { client, namespace } = await connectToPlane();
    const key = { namespace, name: 'dry' };
    await client.create(kinds.configMap, { metadata: key }, { dryRun: true });
    expect(await rejection(client.get(kinds.configMap, key))).toSatisfy(isNotFound);
    await client.create(kinds.configMap, { metadata: key });
    await client.delete(kinds.configMap, key, { dryRun: true });
    expect((await client.get(kinds.configMap, key)).metadata?.name).toBe('dry');
  });

  it('requests any path', async () => {
    const { client } = await connectToPlane();
    expect(await client.request('GET', '/version')).toMatchObject({ major: '1' });
    expect(await client.request('GET', '/readyz')).toBe('ok');
  });
});

onEachServer('patches on %s', (connectToPlane) => {
  it('support all patch types', async () => {
    const { client, namespace } = await connectToPlane();
    const key = { namespace, name: 'patched' };
    await client.create(kinds.pod, unscheduled(namespace, 'patched'));
    const labelled = await client.patch(kinds.pod, key, {
      type: 'json',
      operations: [
        { op: 'test', path: '/metadata/labels/app', value: 'patched' },
        { op: 'add', path: '/metadata/labels/one', value: '1' },
      ],
    });
    expect(labelled.metadata?.labels).toEqual({ app: 'patched', one: '1' });
    const merged = await client.patch(kinds.pod, key, {
      type: 'merge',
      body: { metadata: { labels: { one: null, two: '2' } } },
    });
    expect(merged.metadata?.labels).toEqual({ app: 'patched', two: '2' });
    const strategic = await client.patch(kinds.pod, key, {
      type: 'strategic',
      body: { spec: { containers: [{ name: 'main', image: 'registry.invalid/main:2' }] } },
    });
    expect(strategic.spec?.containers).toHaveLength(1);
    expect(strategic.spec?.containers?.[0]?.image).toBe('registry.invalid/main:2');
  });

  it('fail if their test operation fails', async () => {
    const { client, namespace } = await connectToPlane();
    await client.create(kinds.configMap, { metadata: { name: 'tested', namespace }, data: { a: '1' } });
    const operations = [{ op: 'test', path: '/data/a', value: '2' }] as const;
    const error = await rejection(
      client.patch(kinds.configMap, { namespace, name: 'tested' }, { type: 'json', operations }),
    );
    expect(error).toSatisfy(isInvalid);
  });

  it('by apply conflict with other managers until forced', async () => {
    const { client, namespace } = await connectToPlane();
    const wanted = (value: string): ConfigMap => ({
      metadata: { name: 'applied', namespace },
      data: { a: value },
    });
    await client.apply(kinds.configMap, wanted('1'), { fieldManager: 'first' });
    const error = await rejection(client.apply(kinds.configMap, wanted('2'), { fieldManager: 'second' }));
    expect(error).toSatisfy(isConflict);
    expect(error).toMatchObject({
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "first"', field: '.data.a' }],
    });
    const forced = await client.apply(kinds.configMap, wanted('2'), { fieldManager: 'second', force: true });
    expect(forced.data).toEqual({ a: '2' });
  });

  it('have the client as their field manager', async () => {
    const { client, namespace } = await connectToPlane({ userAgent: 'somebody/1.2.3' });
    const { metadata } = await client.create(kinds.configMap, {
      metadata: { name: 'mine', namespace },
      data: { a: '1' },
    });
    expect(metadata?.managedFields?.map(({ manager }) => manager)).toEqual(['somebody']);
  });
});

onEachServer('subresources on %s', (connectToPlane) => {
  it('separate status and spec', async () => {
    const { client, namespace } = await connectToPlane();
    const node = `node-${namespace}`;
    await createNode(client, node);
    const capacity = { cpu: '4' };
    await client.patch(kinds.node, { name: node }, { type: 'merge', body: { status: { capacity } } });
    expect((await client.get(kinds.node, { name: node })).status?.capacity).toBeUndefined();
    const patch = { type: 'merge', body: { status: { capacity } } } as const;
    const patched = await client.patch(kinds.node, { name: node }, patch, { subresource: 'status' });
    expect(patched.status?.capacity).toEqual(capacity);
    await client.delete(kinds.node, { name: node });
  });

  it('scale workloads', async () => {
    const { client, namespace } = await connectToPlane();
    const labels = { app: 'web' };
    const key = { namespace, name: 'web' };
    await client.create(kinds.deployment, {
      metadata: key,
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    const body = { spec: { replicas: 2 } };
    await client.patch(kinds.deployment, key, { type: 'merge', body }, { subresource: 'scale' });
    expect((await client.get(kinds.deployment, key)).spec?.replicas).toBe(2);
  });

  it('bind a pod to a node once', async () => {
    const { client, namespace } = await connectToPlane();
    const node = `node-${namespace}`;
    const pod = { namespace, name: 'bound' };
    await createNode(client, node);
    await client.create(kinds.pod, unscheduled(namespace, 'bound'));
    await client.bind(pod, node);
    expect((await client.get(kinds.pod, pod)).spec?.nodeName).toBe(node);
    expect(await rejection(client.bind(pod, node))).toSatisfy(isConflict);
    await client.delete(kinds.node, { name: node });
  });

  it('evict pods unless a PodDisruptionBudget forbids it', async () => {
    const { client, namespace } = await connectToPlane();
    const pod = { namespace, name: 'guarded' };
    await client.create(kinds.pod, unscheduled(namespace, 'guarded'));
    await markReady(client, pod);
    await client.create(kinds.podDisruptionBudget, {
      metadata: { name: 'guard', namespace },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
    });
    await vi.waitFor(async () => {
      const budget = await client.get(kinds.podDisruptionBudget, { namespace, name: 'guard' });
      expect(budget.status?.currentHealthy).toBe(1);
    }, patience);
    expect(await rejection(client.evict(pod))).toSatisfy(isDisruptionBudgetRefusal);

    await client.delete(kinds.podDisruptionBudget, { namespace, name: 'guard' });
    const { metadata } = await client.get(kinds.pod, pod);
    expect(await rejection(client.evict(pod, { preconditions: { uid: 'another' } }))).toSatisfy(isConflict);
    await client.evict(pod, { gracePeriodSeconds: 0, preconditions: { uid: metadata?.uid ?? '' } });
    await vi.waitFor(
      async () => expect(await rejection(client.get(kinds.pod, pod))).toSatisfy(isNotFound),
      patience,
    );
  });
});

onEachServer('errors of %s', (connectToPlane) => {
  it('contain the request and the message of the server', async () => {
    const { client, namespace } = await connectToPlane();
    const error = await rejection(client.get(kinds.pod, { namespace, name: 'absent' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'api-refused',
      status: 404,
      reason: 'NotFound',
      message: `cannot get pods "absent" in namespace "${namespace}": pods "absent" not found`,
    });
  });

  it('distinguish AlreadyExists from Conflict', async () => {
    const { client, namespace } = await connectToPlane();
    const made = await client.create(kinds.configMap, { metadata: { name: 'taken', namespace } });
    const again = await rejection(client.create(kinds.configMap, { metadata: { name: 'taken', namespace } }));
    expect(again).toSatisfy(isAlreadyExists);
    expect(again).not.toSatisfy(isConflict);
    await client.replace(kinds.configMap, { ...made, data: { a: '1' } });
    const late = await rejection(client.replace(kinds.configMap, { ...made, data: { a: '2' } }));
    expect(late).toSatisfy(isConflict);
    expect(late).not.toSatisfy(isAlreadyExists);
  });

  it('name each invalid field', async () => {
    const { client, namespace } = await connectToPlane();
    const error = await rejection(
      client.create(kinds.pod, { metadata: { name: 'Bad_Name', namespace }, spec: { containers: [] } }),
    );
    expect(error).toSatisfy(isInvalid);
    const fields = error instanceof ApiError ? error.causes.map(({ field }) => field) : [];
    expect(fields).toEqual(['metadata.name', 'spec.containers']);
  });

  it('reject unknown fields with strict validation', async () => {
    const { client, namespace } = await connectToPlane();
    const object: ConfigMap & { readonly extra: string } = { metadata: { name: 'x', namespace }, extra: 'y' };
    const error = await rejection(client.create(kinds.configMap, object, { fieldValidation: 'Strict' }));
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('unknown field "extra"') });
  });

  it('identify a terminating namespace', async () => {
    const { client, namespace } = await connectToPlane();
    await client.create(kinds.configMap, {
      metadata: { name: 'kept', namespace, finalizers: ['test/keep'] },
    });
    await client.delete(kinds.namespace, { name: namespace });
    const error = await rejection(client.create(kinds.configMap, { metadata: { name: 'late', namespace } }));
    expect(error).toSatisfy(isNamespaceTerminating);
    const body = { metadata: { finalizers: null } };
    await client.patch(kinds.configMap, { namespace, name: 'kept' }, { type: 'merge', body });
  });
});

onEachServer('watches on %s', (connectToPlane) => {
  it('send existing objects, a bookmark after them, and then changes', async () => {
    const { client, namespace, signal, stop } = await connectToPlane();
    await client.create(kinds.configMap, { metadata: { name: 'early', namespace } });
    const events: string[] = [];
    const selection = { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' };
    for await (const event of client.watch(kinds.configMap, {
      ...selection,
      sendInitialEvents: true,
      signal,
    })) {
      events.push(textOf(event));
      if (events.length === 2)
        await client.create(kinds.configMap, { metadata: { name: 'late', namespace } });
      if (events.length === 3) stop();
    }
    expect(events).toEqual(['ADDED early', 'BOOKMARK end', 'ADDED late']);
  });

  it('end after the requested timeout', async () => {
    const { client, namespace } = await connectToPlane();
    const { resourceVersion } = await client.list(kinds.configMap, { namespace });
    const events: string[] = [];
    const options = { namespace, resourceVersion, timeoutSeconds: 1 };
    for await (const event of client.watch(kinds.configMap, options)) events.push(textOf(event));
    expect(events.filter((event) => !event.startsWith('BOOKMARK'))).toEqual([]);
  });
});

describe('watches on a real API server', () => {
  // The embedded server compacts only after thousands of changes, or on a restart.
  it('from a compacted version fail with Gone', async () => {
    const { client, namespace } = await connectToPlane();
    const [kind = kinds.configMap] = await createCustomKinds(client);
    const watch = client.watch(kind, { namespace, resourceVersion: '1' });
    expect(await rejection(watch[Symbol.asyncIterator]().next())).toSatisfy(isGone);
  });
});

function textOf(event: WatchEvent<ConfigMap>): string {
  if (event.type === 'BOOKMARK') return `BOOKMARK${event.initialEventsEnd ? ' end' : ''}`;
  return `${event.type} ${event.object.metadata?.name}`;
}
