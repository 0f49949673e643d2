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
 * Every value for whose schema `isWanted` holds, parents first; the path of a map entry is `labels[team]`. `isWanted`
 * must also hold for a schema that contains a wanted one (`anywhere`): the rest, most of a value, is not visited.
 */
export function* schemaNodes(
  node: SchemaNode,
  isWanted: (schema: JsonSchema) => boolean,
): Generator<SchemaNode> {
  if (!isWanted(node.schema)) return;
  yield node;
  for (const child of childNodes(node)) yield* schemaNodes(child, isWanted);
}

/** Whether a schema or one below it passes the test. Caches the result for each schema. */
export function anywhere(test: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>();
  const find = (schema: JsonSchema): boolean => {
    const isFound = known.get(schema) ?? (test(schema) || subschemas(schema).some(find));
    known.set(schema, isFound);
    return isFound;
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
