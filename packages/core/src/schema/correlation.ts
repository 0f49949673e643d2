import { memberSchema } from './apply-defaults.ts';
import type { Json, JsonObject, JsonSchema } from './json-schema.ts';
import { equalJson, isJsonArray, isJsonObject, member } from './json-value.ts';

/** The earlier version of a list item before an update; only items of lists with map keys can be matched. */
export function counterpart(schema: JsonSchema, item: Json, earlier: Json | undefined): Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !isJsonArray(earlier)) return undefined;
  if (!keys.every((key) => isScalar(member(item, key)))) return undefined;
  return indexOf(earlier, keys).get(identity(item, keys));
}

const indexes = new WeakMap<readonly Json[], ReadonlyMap<string, Json>>();

/**
 * The items of a list by their keys; the first of several with equal keys. Cached by list, because the list is searched
 * for each item of another. A list belongs to one schema, so its keys are always the same.
 */
function indexOf(list: readonly Json[], keys: readonly string[]): ReadonlyMap<string, Json> {
  const known = indexes.get(list);
  if (known) return known;
  const index = new Map(list.toReversed().map((item) => [identity(item, keys), item]));
  indexes.set(list, index);
  return index;
}

function identity(item: Json, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => member(item, key)));
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * Whether an update left a value unchanged, as the API server decides: by following the schema. Values that
 * the schema does not describe, and list items without keys, cannot be correlated and count as changed.
 */
export function isUnchanged(schema: JsonSchema, value: Json, before: Json | undefined): boolean {
  if (isJsonArray(value) && isJsonArray(before)) return isUnchangedList(schema, value, before);
  if (isJsonObject(value) && isJsonObject(before)) return isUnchangedObject(schema, value, before);
  return value === before;
}

/** Only lists of type map are compared item by item; any other list is unchanged only as a whole. */
function isUnchangedList(schema: JsonSchema, value: readonly Json[], before: readonly Json[]): boolean {
  if (value.length !== before.length) return false;
  const { items = {} } = schema;
  if (schema['x-kubernetes-list-type'] !== 'map') return equalJson(value, before);
  return value.every((item) => {
    const earlier = counterpart(schema, item, before);
    return earlier !== undefined && isUnchanged(items, item, earlier);
  });
}

function isUnchangedObject(schema: JsonSchema, value: JsonObject, before: JsonObject): boolean {
  const names = Object.keys(value);
  if (names.length !== Object.keys(before).length) return false;
  return names.every((name) => {
    const known = memberSchema(schema, name);
    return (
      known !== undefined &&
      Object.hasOwn(before, name) &&
      isUnchanged(known, value[name] ?? null, before[name])
    );
  });
}
