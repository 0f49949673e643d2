import { memberSchema } from './apply-defaults.ts';
import { childPath, itemPath, keyPath } from './field-path.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';

export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly path: string;
}

/**
 * Every value whose schema, or one below it, is wanted: itself first, then those below; map entries read
 * `labels[team]`. What is not wanted is not visited, since most schemas have little that is.
 */
export function* schemaNodes(
  node: SchemaNode,
  isWanted: (schema: JsonSchema) => boolean,
): Generator<SchemaNode> {
  if (!isWanted(node.schema)) return;
  yield node;
  for (const child of childNodes(node)) yield* schemaNodes(child, isWanted);
}

/** Whether a schema or one below it passes the test. Remembers the answer for each schema. */
export function anywhere(test: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>();
  const find = (schema: JsonSchema): boolean => {
    const answer = known.get(schema) ?? (test(schema) || subschemas(schema).some(find));
    known.set(schema, answer);
    return answer;
  };
  return find;
}

function subschemas({ properties = {}, items, additionalProperties }: JsonSchema): JsonSchema[] {
  const below = Object.values(properties);
  if (items) below.push(items);
  if (typeof additionalProperties === 'object') below.push(additionalProperties);
  return below;
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
