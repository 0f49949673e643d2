import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { specSchema, withKind } from '../custom-kind.ts';
import { deployment } from '../objects.ts';

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
};

async function createDeployment(api: ConformanceApi, spec: JsonObject = {}): Promise<string> {
  (await api.post(api.path('deployments', 'apps/v1'), deployment('a', spec))).expect(201);
  return `${api.path('deployments', 'apps/v1')}/a`;
}

function scale(name: string, replicas: number, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...metadata },
    spec: { replicas },
  };
}

const scalable = {
  schema: specSchema({ replicas: { type: 'integer' }, selector: { type: 'string' } }),
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  },
};

export const scaleCases = area('subresources', {
  'the scale of a deployment has its replicas and its selector as string': async (api) => {
    const path = await createDeployment(api);
    const read = (await api.get(`${path}/scale`)).expect(200);
    assert.equal(read.at('kind'), 'Scale');
    assert.equal(read.at('apiVersion'), 'autoscaling/v1');
    assert.equal(read.at('metadata.name'), 'a');
    assert.equal(read.at('status.replicas'), 0);
    assert.equal(read.at('status.selector'), 'app=a');
    assert.equal(
      read.at('metadata.resourceVersion') !== undefined && read.at('metadata.uid') !== undefined,
      true,
    );
  },
  'the selector string of a scale has labels and expressions': async (api) => {
    const selector = {
      matchLabels: { app: 'a' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['web', 'db'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    };
    const labels = { app: 'a', tier: 'web' };
    const path = await createDeployment(api, { selector, template: { ...template, metadata: { labels } } });
    const read = (await api.get(`${path}/scale`)).expect(200);
    assert.equal(read.at('status.selector'), 'app=a,!old,tier in (db,web)');
  },
  'a deployment is scaled by putting its scale': async (api) => {
    const path = await createDeployment(api, { paused: true });
    const written = (await api.put(`${path}/scale`, scale('a', 2, { namespace: api.namespace }))).expect(200);
    assert.equal(written.at('spec.replicas'), 2);
    assert.equal((await api.get(path)).at('spec.replicas'), 2);
  },
  'scaling increases the generation': async (api) => {
    const path = await createDeployment(api, { paused: true });
    await api.put(`${path}/scale`, scale('a', 3, { namespace: api.namespace }));
    assert.equal((await api.get(path)).at('metadata.generation'), 2);
  },
  'a deployment is scaled by a merge patch of its scale': async (api) => {
    const path = await createDeployment(api, { paused: true });
    const written = (await api.patch('merge', `${path}/scale`, { spec: { replicas: 2 } })).expect(200);
    assert.equal(written.at('kind'), 'Scale');
    assert.equal(written.at('spec.replicas'), 2);
  },
  'a deployment is scaled by a JSON patch of its scale': async (api) => {
    const path = await createDeployment(api, { paused: true, replicas: 1 });
    const operations = [{ op: 'replace', path: '/spec/replicas', value: 2 }];
    const written = (await api.patch('json', `${path}/scale`, operations)).expect(200);
    assert.equal(written.at('spec.replicas'), 2);
  },
  'a scale with negative replicas is invalid': async (api) => {
    const path = await createDeployment(api);
    const reply = await api.put(`${path}/scale`, scale('a', -1, { namespace: api.namespace }));
    reply.expectInvalid('spec.replicas');
    assert.equal(reply.at('details.kind'), 'Scale');
  },
  'a scale with an old version is a conflict': async (api) => {
    const path = await createDeployment(api, { paused: true });
    const { resourceVersion } = (await api.get(path)).object()['metadata'] as JsonObject;
    await api.patch('merge', path, { metadata: { labels: { x: 'y' } } });
    const stale = { namespace: api.namespace, resourceVersion: resourceVersion ?? '' };
    (await api.put(`${path}/scale`, scale('a', 2, stale))).expectFailure(409, 'Conflict');
  },
  'a dry run of a scale changes nothing': async (api) => {
    const path = await createDeployment(api);
    const reply = await api.put(`${path}/scale?dryRun=All`, scale('a', 2, { namespace: api.namespace }));
    assert.equal(reply.expect(200).at('spec.replicas'), 2);
    assert.equal((await api.get(path)).at('spec.replicas'), 0);
  },
  'the scale of a missing object is not found': async (api) => {
    const path = `${api.path('deployments', 'apps/v1')}/absent/scale`;
    (await api.get(path)).expectFailure(404, 'NotFound');
    (await api.patch('merge', path, { spec: { replicas: 1 } })).expectFailure(404, 'NotFound');
  },
  'replica sets are scaled': async (api) => {
    const body = { replicas: 0, selector: { matchLabels: { app: 'a' } }, template };
    const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'a' }, spec: body };
    const collection = api.path('replicasets', 'apps/v1');
    (await api.post(collection, set)).expect(201);
    (await api.patch('merge', `${collection}/a/scale`, { spec: { replicas: 2 } })).expect(200);
    assert.equal((await api.get(`${collection}/a`)).at('spec.replicas'), 2);
  },
  'stateful sets are scaled': async (api) => {
    const body = { replicas: 0, serviceName: 'a', selector: { matchLabels: { app: 'a' } }, template };
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'a' }, spec: body };
    const collection = api.path('statefulsets', 'apps/v1');
    (await api.post(collection, set)).expect(201);
    const read = (await api.get(`${collection}/a/scale`)).expect(200);
    assert.equal(read.at('status.selector'), 'app=a');
    (await api.patch('merge', `${collection}/a/scale`, { spec: { replicas: 1 } })).expect(200);
    assert.equal((await api.get(`${collection}/a`)).at('spec.replicas'), 1);
  },
  'daemon sets have no scale': async (api) => {
    (await api.get(`${api.path('daemonsets', 'apps/v1')}/a/scale`)).expectFailure(404, 'NotFound');
  },
  'a custom kind is scaled at the path of its definition': async (api) => {
    await withKind(api, scalable, async (kind) => {
      (await kind.create('a', { spec: { replicas: 1 } })).expect(201);
      const status = { replicas: 4, selector: 'app=a' };
      (await api.patch('merge', `${kind.path()}/a/status`, { status })).expect(200);
      const read = (await api.get(`${kind.path()}/a/scale`)).expect(200);
      assert.deepEqual(read.at('spec'), { replicas: 1 });
      assert.deepEqual(read.at('status'), { replicas: 4, selector: 'app=a' });
      const written = await api.put(
        `${kind.path()}/a/scale`,
        scale('a', 5, {
          namespace: api.namespace,
          resourceVersion: read.at('metadata.resourceVersion') ?? '',
        }),
      );
      assert.equal(written.expect(200).at('spec.replicas'), 5);
      assert.equal((await kind.get('a')).at('spec.replicas'), 5);
    });
  },
  'the scale of a custom kind is patched': async (api) => {
    await withKind(api, scalable, async (kind) => {
      (await kind.create('a', { spec: { replicas: 1 } })).expect(201);
      (await api.patch('merge', `${kind.path()}/a/scale`, { spec: { replicas: 7 } })).expect(200);
      assert.equal((await kind.get('a')).at('spec.replicas'), 7);
    });
  },
  'a custom kind rejects negative replicas': async (api) => {
    await withKind(api, scalable, async (kind) => {
      (await kind.create('a', { spec: { replicas: 1 } })).expect(201);
      const reply = await api.patch('merge', `${kind.path()}/a/scale`, { spec: { replicas: -1 } });
      reply.expectInvalid('.spec.replicas');
    });
  },
  'a custom kind without scale subresource has no scale': async (api) => {
    await withKind(api, { schema: specSchema({}) }, async (kind) => {
      (await kind.create('a')).expect(201);
      assert.equal((await api.get(`${kind.path()}/a/scale`)).status, 404);
    });
  },
});
