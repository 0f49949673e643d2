import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '@karpenter/core/schema';
import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expect } from 'vitest';

/** The published schemas of one group and version, with references resolved. */
export async function servedSchemas(
  plane: ControlPlaneClient,
  path: string,
): Promise<(kind: string) => JsonSchema> {
  const { status, body } = await plane.request('GET', `/openapi/v3/${path}`);
  expect(status).toBe(200);
  const document = body as {
    readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
  };
  const schemas = document.components.schemas;
  const resolve = resolver(schemas);
  return (kind) => {
    const [name] = Object.entries(schemas).find(([, schema]) => isOfKind(schema, kind)) ?? [];
    if (name === undefined) throw new Error(`the server publishes no schema of ${kind} at ${path}`);
    return resolve(name);
  };
}

function isOfKind(schema: JsonObject, kind: string): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return (
    isJsonArray(kinds) &&
    kinds.length === 1 &&
    kinds.some((entry) => isJsonObject(entry) && entry['kind'] === kind)
  );
}

const prefix = '#/components/schemas/';

function resolver(schemas: Readonly<Record<string, JsonObject>>): (name: string) => JsonSchema {
  const done = new Map<string, JsonSchema>();
  const copy = (value: Json): Json => {
    if (isJsonArray(value)) return value.map(copy);
    if (!isJsonObject(value)) return value;
    const reference = value['$ref'];
    if (typeof reference === 'string') return resolve(reference.slice(prefix.length)) as Json;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copy(entry)]));
  };
  const resolve = (name: string): JsonSchema => {
    const known = done.get(name);
    if (known !== undefined) return known;
    // Schemas may be recursive: a reference to this schema while it is being copied gets the same object.
    const schema: Record<string, Json> = {};
    done.set(name, schema as JsonSchema);
    Object.assign(schema, copy(schemas[name] ?? {}));
    return schema as JsonSchema;
  };
  return resolve;
}
