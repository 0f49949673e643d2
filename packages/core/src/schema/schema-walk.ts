import { memberSchema } from './apply-defaults.ts';
import { childPath, itemPath, keyPath } from './field-path.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';

export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly path: string;
}

/** Every value that its schema describes, itself first, then those below; map entries read `labels[team]`. */
export function* schemaNodes(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  for (const child of childNodes(node)) yield* schemaNodes(child);
}

function childNodes({ schema, value, path }: SchemaNode): SchemaNode[] {
  if (isJsonArray(value)) {
    const { items } = schema;
    return items
      ? value.map((item, index) => ({ schema: items, value: item, path: itemPath(path, index) }))
      : [];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const known = memberSchema(schema, name);
    return known ? [{ schema: known, value: entry, path: memberPath(schema, path, name) }] : [];
  });
}

/** A declared field is a child, a map entry is addressed by its key. */
export function memberPath(schema: JsonSchema, path: string, name: string): string {
  const declared = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
  return declared ? childPath(path, name) : keyPath(path, name);
}
