import type { Json, JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Each of these took from a second to hours before: an expression that backtracks, or a loop within a loop.

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function definition(plural: string, spec: JsonObject, columns: readonly string[] = []): JsonObject {
  const printed = columns.map((jsonPath, index) => ({ name: `c${index}`, type: 'string', jsonPath }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.long.example.com` },
    spec: {
      group: 'long.example.com',
      scope: 'Namespaced',
      names: { plural, kind: plural.toUpperCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          additionalPrinterColumns: printed,
        },
      ],
    },
  };
}

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe('the embedded API server answers at once', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  const errors: unknown[] = [];

  beforeAll(async () => {
    server = await startApiServer({ onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'default');
  });
  afterAll(async () => {
    api.close();
    await server.stop();
    expect(errors).toEqual([]);
  });

  const patch = (path: string, type: string, body: Json) =>
    api.request('PATCH', path, {
      headers: { 'content-type': `application/${type}` },
      body: JSON.stringify(body),
    });
  const configMap = (name: string, data: JsonObject, managedFields?: readonly JsonObject[]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(managedFields && { managedFields }) },
    data,
  });
  const pod = (name: string, requests: JsonObject = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }] },
  });

  it.each([
    ['digits that end in no unit', `${'1'.repeat(1_000_000)}!`],
    ['points', '1.'.repeat(500_000)],
    ['digits of an exponent', `1e${'1'.repeat(1_000_000)}`],
  ])('to a quantity of a million %s', async (_, cpu) => {
    (await api.post(api.path('pods'), pod('quantity', { cpu }))).expect(400);
  });

  it('to a duration of a million digits', async () => {
    const duration = { type: 'string', format: 'duration' };
    const spec = { type: 'object', properties: { duration } };
    (await api.post(definitions, definition('durations', spec))).expect(201);
    const object = {
      apiVersion: 'long.example.com/v1',
      kind: 'DURATIONS',
      metadata: { name: 'd' },
      spec: { duration: '1'.repeat(1_000_000) },
    };
    (await api.post('/apis/long.example.com/v1/namespaces/default/durations', object)).expect(422);
  });

  it.each([
    ['a rule of escaped quotes', { ...free, 'x-kubernetes-validations': [{ rule: '\\"'.repeat(49_000) }] }],
    ['a pattern with a count that does not end', { type: 'string', pattern: `x{${'1'.repeat(1_000_000)}` }],
  ])('to a definition with %s', async (_, spec) => {
    (await api.post(definitions, definition('refused', spec))).expect(422);
  });

  it('to a table of 3,000 columns whose searches multiply', async () => {
    const columns = times(3_000, (index) => `.spec..x..y..z${index}`);
    (await api.post(definitions, definition('columns', free, columns))).expect(201);
    const path = '/apis/long.example.com/v1/namespaces/default/columns';
    const spec = Object.fromEntries(times(10_000, (index) => [`k${index}`, { x: { x: { y: {} } } }]));
    const object = { apiVersion: 'long.example.com/v1', kind: 'COLUMNS', metadata: { name: 'c' }, spec };
    (await api.post(path, object)).expect(201);
    expect((await api.request('GET', path, { headers: table })).expect(200).at('rows')).toHaveLength(1);
  });

  it('to an apply that conflicts with 10,000 managers', async () => {
    const managers = times(10_000, (index) => ({
      manager: `m${index}`,
      operation: 'Apply',
      apiVersion: 'v1',
      time: '2026-11-16T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    }));
    (await api.post(api.path('configmaps'), configMap('managed', {}, managers))).expect(201);
    const path = `${api.path('configmaps')}/managed?fieldManager=other`;
    const reply = await patch(path, 'apply-patch+yaml', configMap('managed', { x: 'b' }));
    expect(reply.expect(409).at('message')).toMatch(
      /^Apply failed with 1000\d conflicts: conflicts with "m0":\n- \.data\.x\nconflicts with "m1":\n/,
    );
  });

  it('to a JSON patch whose path has a million parts', async () => {
    (await api.post(api.path('configmaps'), configMap('patched', {}))).expect(201);
    const operations = [{ op: 'add', path: '/a'.repeat(1_000_000), value: 1 }];
    (await patch(`${api.path('configmaps')}/patched`, 'json-patch+json', operations)).expect(422);
  });

  it('to the order of 40,000 finalizers', async () => {
    (await api.post(api.path('pods'), pod('ordered'))).expect(201);
    const finalizers = times(40_000, (index) => `a.b/f${index}`);
    const path = `${api.path('pods')}/ordered?dryRun=All`;
    const metadata = { finalizers, '$setElementOrder/finalizers': finalizers };
    (await patch(path, 'strategic-merge-patch+json', { metadata })).expect(200);
    const reversed = { finalizers: finalizers.toReversed(), '$setElementOrder/finalizers': finalizers };
    const reply = await patch(path, 'strategic-merge-patch+json', { metadata: reversed });
    expect(reply.expect(422).at('message')).toMatch(/^The order in patch list:/);
  });
});
