import type { JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A clock on which every piece of work takes a whole time slice, so that each write yields between its stages. */
class SlowClock extends VirtualClock {
  #elapsed = 0;

  override monotonic(): number {
    this.#elapsed += 10;
    return this.#elapsed;
  }
}

const text = { type: 'string' };

function definition(): JsonObject {
  const item = { type: 'object', properties: { a: { ...text, default: 'x'.repeat(1_000) } } };
  const spec = {
    type: 'object',
    properties: {
      defaulted: { type: 'array', items: item },
      numbers: { type: 'array', items: { type: 'integer' } },
    },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.slow.example.com' },
    spec: {
      group: 'slow.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

describe('a write that yields to other requests', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  const widgets = '/apis/slow.example.com/v1/namespaces/default/widgets';
  const widget = (spec: JsonObject) => ({
    apiVersion: 'slow.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec,
  });
  const configMap = (name: string, data: JsonObject) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  });

  beforeAll(async () => {
    server = await startApiServer({ clock: new SlowClock() });
    api = new ConformanceApi(server, 'default');
    (await api.post(api.path('configmaps'), configMap('shared', {}))).expect(201);
    (await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition())).expect(201);
  });
  afterAll(async () => {
    api.close();
    await server.stop();
  });

  const json = { 'content-type': 'application/json' };

  it('is repeated when it replaces any version and another write comes in between', async () => {
    const replace = (key: string) =>
      api.request('PUT', `${api.path('configmaps')}/shared`, {
        headers: json,
        body: JSON.stringify(configMap('shared', { [key]: 'v' })),
      });
    const replies = await Promise.all(['a', 'b', 'c'].map(replace));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('loses no change when patches of one object come together', async () => {
    const patch = (key: string) =>
      api.request('PATCH', `${api.path('configmaps')}/shared`, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data: { [key]: 'patched' } }),
      });
    const keys = ['p', 'q', 'r'];
    for (const reply of await Promise.all(keys.map(patch))) reply.expect(200);
    const { data } = (await api.get(`${api.path('configmaps')}/shared`)).expect(200).body as JsonObject;
    expect(data).toMatchObject({ p: 'patched', q: 'patched', r: 'patched' });
  });

  it('loses no change when JSON patches of many operations come together', async () => {
    const patch = (key: string) =>
      api.request('PATCH', `${api.path('configmaps')}/shared`, {
        headers: { 'content-type': 'application/json-patch+json' },
        body: JSON.stringify(
          Array.from({ length: 300 }, (_, index) => ({
            op: 'add',
            path: `/data/${key}${index}`,
            value: 'patched',
          })),
        ),
      });
    for (const reply of await Promise.all(['x', 'y', 'z'].map(patch))) reply.expect(200);
    const { data } = (await api.get(`${api.path('configmaps')}/shared`)).expect(200).body as JsonObject;
    expect(data).toMatchObject({ x0: 'patched', y150: 'patched', z299: 'patched' });
  });

  it('creates an object once when several clients create it together', async () => {
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((key) => api.post(api.path('configmaps'), configMap('once', { [key]: 'v' }))),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it('is refused when defaults make the object too large to be stored', async () => {
    const defaulted = Array.from({ length: 100_000 }, () => ({}));
    (await api.post(widgets, widget({ defaulted }))).expect(413);
  });

  it('gets the first thousand errors of an object that has more', async () => {
    const numbers = Array.from({ length: 5_000 }, () => 'a');
    const reply = (await api.post(widgets, widget({ numbers }))).expect(422);
    expect(reply.at('details.causes')).toHaveLength(1_000);
    expect(reply.at('message')).toMatch(/, only the first 1000 errors are listed\]$/);
  });

  it('gets as many warnings as clients accept in headers', async () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"k${index}":"v","k${index}":"v"`);
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"warned"},"data":{${members.join(',')}}}`;
    const path = `${api.path('configmaps')}?fieldValidation=Warn`;
    const reply = (await api.request('POST', path, { headers: json, body })).expect(201);
    expect(reply.at('metadata.name')).toBe('warned');
  });
});
