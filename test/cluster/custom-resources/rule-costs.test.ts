import type { JsonObject, JsonSchema } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';

const plane = sharedControlPlane();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const list = (items: JsonSchema, maxItems?: number): JsonSchema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});
const text = (maxLength?: number): JsonSchema => ({
  type: 'string',
  ...(maxLength === undefined ? {} : { maxLength }),
});
const map = (maxProperties: number): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 63 },
  maxProperties,
});
const int: JsonSchema = { type: 'integer' };
const named: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: text(10), n: int },
};

/** Schemas with rules around the limits: some are accepted, most exceed the budget by a known factor. */
const rows: readonly (readonly [JsonSchema, string])[] = [
  [list(int, 2e6), 'self.all(x, true)'],
  [list(int, 2e6), 'self.all(x, x > 0)'],
  [list(int, 2e6), 'self.all(x, x > 0 && x < 5)'],
  [list(int, 2e6), 'self.all(x, !(x > 0))'],
  [list(int, 2e6), 'self.exists(x, true)'],
  [list(int, 2e6), 'self.exists_one(x, true)'],
  [list(int, 2e6), 'self.map(x, 1).size() > 0'],
  [list(int, 2e6), 'self.map(x, true, 1).size() > 0'],
  [list(int, 2e6), 'self.filter(x, true).size() > 0'],
  [list(int, 2e6), 'self.all(x, x in [1,2,3])'],
  [list(int, 2e6), 'self.all(x, x == 1 ? true : x == 2)'],
  [list(int, 4000), 'self.all(x, self.all(y, x != y))'],
  [list(int, 400), 'self.all(x, self.all(y, self.all(z, x + y + z > 0)))'],
  [list(int), 'self.all(x, x > 0)'],
  [list(text()), 'self.all(x, x != "a")'],
  [list(text(100), 200000), 'self.all(x, x != "a")'],
  [list(text(100), 200000), 'self.all(x, x.startsWith("abcdefghijklmnopqrst"))'],
  [list(text(100), 200000), 'self.all(x, x.contains("abcdefghijklmnopqrst"))'],
  [list(text(100), 200000), 'self.all(x, x.matches("^abcdefghijklmnopqrst$"))'],
  [list(text(100), 200000), 'self.all(x, size(x) > 3)'],
  [list(text(100), 200000), 'self.all(x, x.size() > 3)'],
  [list(text(100), 200000), 'self.all(x, x + x == "")'],
  [list(text(100), 200000), 'self.all(x, x.lowerAscii() == "a")'],
  [list(text(100), 200000), 'self.all(x, x.split(",").size() > 0)'],
  [list(text(100), 200000), 'self.all(x, x.indexOf("abcdefghijklmnopqrst") > 0)'],
  [list(text(100), 200000), 'self.all(x, int(x) > 0)'],
  [list(text(100), 200000), 'self.all(x, x < "abcdefghijklmnopqrst")'],
  [list(text(100), 200000), 'self.all(x, isQuantity(x))'],
  [list(text(100), 200000), 'self.all(x, x.find("abcdefgh") == "")'],
  [list(text(100), 200000), 'self.all(x, x.replace("a","b") == "")'],
  [list(text(100), 200000), 'self.all(x, x.trim() == "")'],
  [list(text(100), 200000), 'self.all(x, x.substring(1) == "")'],
  [list(text(100), 2e5), 'self.join(",") == "abcdefghijklmnopqrst"'],
  [list(int, 2e7), 'self.sum() > 0'],
  [list(int, 2e7), 'self.isSorted()'],
  [list(int, 2e7), 'self.max() > 0'],
  [list(int, 2e7), '5 in self'],
  [list(text(100), 2e6), '"abcd" in self'],
  [list(int, 2e8), 'self == [1]'],
  [list(int, 2e8), 'self == self'],
  [list(int, 2e8), 'self == oldSelf'],
  [
    text(),
    'self.matches("^abcdefghijklmnopqrstabcdefghijklmnopqrstabcdefghijklmnopqrstabcdefghijklmnopqrst$")',
  ],
  [text(), 'self.contains(self)'],
  [
    text(),
    'self.lowerAscii().upperAscii().matches("^abcdefghijklmnopqrstabcdefghijklmnopqrstabcdefghijklmnopqrst$")',
  ],
  [{ type: 'object', additionalProperties: int, maxProperties: 2e6 }, 'self.all(k, self[k] > 0)'],
  [{ type: 'object', additionalProperties: int }, 'self.all(k, self[k] > 0)'],
  [{ type: 'object', additionalProperties: text(10) }, 'self.all(k, k != "abcdefghijklmnopqrst")'],
  [map(100), 'self.all(k, k.find("^[^/]+") == "abcdefghijkl")'],
  [map(2e6), 'self.all(k, k.find("^[^/]+") == "abcdefghijkl")'],
  [map(2e6), 'self.all(k, k.find("^[^/]+").endsWith("abcdefghijkl"))'],
  [map(2e6), 'self.all(k, k.matches("^abcdefghijklmnopqrst$"))'],
  [map(2e6), 'self.all(k, k.lowerAscii() == "a")'],
  [map(2e6), 'self.all(k, k in ["a", "b", "c"])'],
  [map(2e6), 'self.all(k, k in self)'],
  [map(2e6), '"a" in self'],
  [list(text(), 100), 'self.all(x, int(x) > 0)'],
  [list(text(), 100), 'self.all(x, double(x) > 0.0)'],
  [list(text(), 100), 'self.all(x, duration(x) > duration("1s"))'],
  [list(text(), 100), 'self.all(x, quantity(x).isInteger())'],
  [list(text(), 100), 'self.all(x, string(x) != "a")'],
  [list(text(), 100), 'self.all(x, bytes(x).size() > 1)'],
  [list(named), 'self.all(o, self.exists_one(p, p.name == o.name))'],
  [list(named), 'self.all(o, has(o.n) && o.n > 0)'],
  [list(named, 1e6), 'self.all(o, has(o.n))'],
  [list(named, 1e6), 'self.all(o, [1,2].size() > 0)'],
  [list(named, 1e6), 'self.all(o, {"a": 1}.size() > 0)'],
  [
    list({ 'x-kubernetes-int-or-string': true }, 1000),
    'self.all(o, string(o) != "aaaaaaaaaaaaaaaaaaaaaaaaaaa")',
  ],
];

function definition(schema: JsonSchema, rule: string): JsonObject {
  const ruled = { ...schema, 'x-kubernetes-validations': [{ rule }] } as unknown as JsonObject;
  const properties = { spec: { type: 'object', properties: { x: ruled } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.cost.example.com' },
    spec: {
      group: 'cost.example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  };
}

/** The code and the factor by which the rule exceeds its budget. */
function verdict(code: number, message: unknown): string {
  return `${code} ${/rule cost exceeds budget by factor of ([\w. ]*) /.exec(String(message))?.[1] ?? ''}`;
}

describe('the estimated cost of a rule', () => {
  let server: ApiServer;
  let api: ConformanceApi;

  beforeAll(async () => {
    server = await startApiServer({});
    api = new ConformanceApi(server, 'default');
  });
  afterAll(async () => {
    api.close();
    await server.stop();
  });

  it.each(rows)('is that of kube-apiserver: %j %s', async (schema, rule) => {
    const body = definition(schema, rule);
    const real = await plane.request('POST', definitions, body);
    const ours = await api.post(definitions, body);
    expect(verdict(ours.status, ours.at('message'))).toBe(
      verdict(real.status, (real.body as JsonObject)['message']),
    );
  });
});
