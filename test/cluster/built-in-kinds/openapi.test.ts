import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { builtInKinds, OpenApiDocuments } from '@karpenter/sim/apiserver';
import { describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';

const plane = sharedControlPlane();
const kinds = builtInKinds().filter(({ group }) => group !== 'metrics.k8s.io');
const documents = new OpenApiDocuments('1.36');
const { paths } = documents.index(kinds) as unknown as {
  readonly paths: Readonly<Record<string, JsonObject>>;
};

interface OpenApi {
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

async function realDocument(path: string): Promise<OpenApi> {
  const { body } = await plane.request('GET', `/openapi/v3/${path}`);
  return (typeof body === 'string' ? JSON.parse(body) : body) as OpenApi;
}

/** Ignores descriptions, unions, and markers of kinds that are in other documents. */
const ignored = new Set([
  'description',
  'x-kubernetes-unions',
  'x-kubernetes-group-version-kind',
  'shardInfo',
]);

function comparable(schema: Json): Json {
  if (isJsonArray(schema)) return schema.map(comparable);
  if (!isJsonObject(schema)) return schema;
  const { allOf, ...rest } = schema;
  const [only] = isJsonArray(allOf) ? allOf : [];
  if (isJsonObject(only) && only['$ref'] !== undefined) return comparable({ ...rest, ...only });
  const isText = (name: string) => name === 'description' && isJsonObject(schema[name]);
  const entries = Object.entries(schema).filter(([name]) => !ignored.has(name) || isText(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, comparable(value)]));
}

describe('OpenAPI documents compared with a real API server', () => {
  it.each(Object.keys(paths))('describe the same schemas in %s', async (path) => {
    const real = await realDocument(path);
    const ours = documents.document(kinds, path) as unknown as OpenApi;
    const names = Object.keys(ours.components.schemas);
    const pick = (schemas: OpenApi['components']['schemas']) =>
      Object.fromEntries(names.map((name) => [name, comparable(schemas[name] ?? null)]));
    expect(pick(ours.components.schemas)).toEqual(pick(real.components.schemas));
  });

  it.each(Object.keys(paths))('have only paths and operations of the real ones, in %s', async (path) => {
    const real = await realDocument(path);
    const ours = documents.document(kinds, path) as unknown as OpenApi;
    const kindsOf = (document: OpenApi, name: string) =>
      Object.entries(document.paths[name] ?? {}).flatMap(([method, operation]) =>
        isJsonObject(operation) ? [[method, operation['x-kubernetes-group-version-kind']] as const] : [],
      );
    for (const name of Object.keys(ours.paths)) {
      const found = Object.fromEntries(kindsOf(real, name));
      for (const [method, kind] of kindsOf(ours, name))
        expect({ name, method, kind }).toEqual({ name, method, kind: found[method] });
    }
  });
});
