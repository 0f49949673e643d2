import type { FieldError } from './field-error.ts';
import { itemPath } from './field-path.ts';
import { jsonText } from './go-text.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject, member, objectOf } from './json-value.ts';
import { anywhere, schemaNodes } from './schema-walk.ts';

const hasListTypes = anywhere((schema) => schema['x-kubernetes-list-type'] !== undefined);

/** Finds duplicate items in lists of type `set` or `map`. */
export function checkListTypes(schema: JsonSchema, value: Json): FieldError[] {
  const errors: FieldError[] = [];
  for (const node of schemaNodes({ schema, value, path: '' }, hasListTypes)) {
    if (!isJsonArray(node.value)) continue;
    for (const error of repeatedItems(node.schema, node.value, node.path)) errors.push(error);
  }
  return errors;
}

function repeatedItems(schema: JsonSchema, items: readonly Json[], path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : undefined;
  const counts = new Map<string, number>();
  return items.flatMap((item, index): FieldError[] => {
    const field = itemPath(path, index);
    if (keys && item === null) return [];
    if (keys && !isJsonObject(item)) {
      const detail = 'must be an object for an array of list-type map';
      return [{ type: 'Invalid', field, value: item, detail }];
    }
    const identity = keys ? keyFields(item, keys) : item;
    const key = typeof identity === 'object' ? jsonText(identity) : `${typeof identity} ${identity}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    // Only the second of several equal items is reported.
    return count === 2 ? [{ type: 'Duplicate', field, value: identity }] : [];
  });
}

function keyFields(item: Json, keys: readonly string[]): Json {
  return objectOf(
    keys.flatMap((key) => {
      const value = member(item, key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}
