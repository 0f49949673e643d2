import type { Json, JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// V8 aborts the process if it compiles a regular expression at the end of the stack, so no request may come close to it.

const levels = 980;
const path = '/apis/example.com/v1/namespaces/default/trees';
const shapes: readonly [string, (inner: Json) => Json][] = [
  ['maps', (inner) => ({ a: inner })],
  ['lists', (inner) => [inner]],
  ['lists of maps', (inner) => [{ name: 'a', inner }]],
];

function nested(shape: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level += JSON.stringify(shape(1)).split(/[[{]/).length - 1)
    value = shape(value);
  return value;
}

const tree = (name: string, spec: Json): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Tree',
  metadata: { name },
  spec: { spec },
});

describe('the embedded API server', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  const errors: unknown[] = [];

  beforeAll(async () => {
    server = await startApiServer({ onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'default');
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'trees.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'trees', kind: 'Tree' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    };
    (await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).expect(201);
  });
  afterAll(async () => {
    api.close();
    await server.stop();
    expect(errors).toEqual([]);
  });

  it.each(shapes)(
    'stores, changes, applies and returns an object of a thousand levels of %s',
    async (_, shape) => {
      const spec = nested(shape);
      const name = 'deep';
      const patch = (type: string, body: Json) =>
        api.request('PATCH', `${path}/${name}?fieldManager=test&force=true`, {
          headers: { 'content-type': `application/${type}` },
          body: JSON.stringify(body),
        });
      (await api.post(path, tree(name, spec))).expect(201);
      expect((await patch('merge-patch+json', { spec: { spec: shape(spec) } })).status).toBe(200);
      expect((await patch('json-patch+json', [{ op: 'add', path: '/spec/other', value: spec }])).status).toBe(
        200,
      );
      expect((await patch('apply-patch+yaml', tree(name, spec))).status).toBe(200);
      expect((await patch('apply-patch+yaml', tree(name, 1))).status).toBe(200);
      for (const accept of ['application/json', 'application/json;as=Table;g=meta.k8s.io;v=v1'])
        expect((await api.request('GET', path, { headers: { accept } })).status).toBe(200);
      expect((await api.request('DELETE', `${path}/${name}`, {})).status).toBe(200);
    },
  );
});
