import type { Json, JsonObject, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject, objectOf } from './json-value.ts';

/**
 * The value with the schema's defaults applied. A null where null is not allowed counts as absent: the
 * default replaces it, or it is removed. Unchanged parts are shared with the input.
 */
export function applyDefaults<T extends Json>(schema: JsonSchema, value: T): T;
export function applyDefaults(schema: JsonSchema, value: Json): Json {
  if (isJsonObject(value)) return defaultObject(schema, value);
  if (isJsonArray(value) && schema.items) return defaultArray(schema.items, value);
  return value;
}

function present(schema: JsonSchema, value: Json | undefined): Json | undefined {
  if (value === undefined || (value === null && schema.nullable !== true)) return schema.default;
  return value;
}

function defaultArray(items: JsonSchema, value: readonly Json[]): readonly Json[] {
  const defaulted = value.map((item) => applyDefaults(items, present(items, item) ?? item));
  return defaulted.some((item, index) => item !== value[index]) ? defaulted : value;
}

/** The schema of one member; undefined if the schema does not describe it. */
export function memberSchema(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function defaultObject(schema: JsonSchema, value: JsonObject): JsonObject {
  const entries: [string, Json][] = [];
  let changed = false;
  for (const name of memberNames(schema, value)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const result = defaultMember(memberSchema(schema, name), given);
    changed ||= result !== given;
    if (result !== undefined) entries.push([name, result]);
  }
  return changed ? objectOf(entries) : value;
}

/** Given members first, in their order, then declared ones that get a default. */
function memberNames(schema: JsonSchema, value: JsonObject): string[] {
  const given = Object.keys(value);
  const declared = defaultedNames(schema).filter((name) => !Object.hasOwn(value, name));
  return declared.length === 0 ? given : [...given, ...declared];
}

const known = new WeakMap<JsonSchema, readonly string[]>();

/** Declared members with a default, which are few. The same schema applies to every item of a list. */
function defaultedNames(schema: JsonSchema): readonly string[] {
  const { properties = {} } = schema;
  const names =
    known.get(schema) ?? Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  known.set(schema, names);
  return names;
}

function defaultMember(schema: JsonSchema | undefined, given: Json | undefined): Json | undefined {
  if (!schema) return given;
  const value = present(schema, given);
  return value === undefined ? undefined : applyDefaults(schema, value);
}
