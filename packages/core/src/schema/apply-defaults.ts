import type { Json, JsonObject, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';

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

/** Given members keep their order; declared ones that get a default follow. */
function defaultObject(schema: JsonSchema, value: JsonObject): JsonObject {
  const copy = new Copy(value);
  for (const name of Object.keys(value)) {
    copy.set(name, defaultMember(memberSchema(schema, name), value[name]));
  }
  for (const name of defaultedNames(schema)) {
    if (!Object.hasOwn(value, name)) copy.set(name, defaultMember(memberSchema(schema, name), undefined));
  }
  return copy.object;
}

/** An object that is copied when it first changes. */
class Copy {
  readonly #object: JsonObject;
  #draft: Record<string, Json> | undefined;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  get object(): JsonObject {
    return this.#draft ?? this.#object;
  }

  /** Undefined removes the member. A plain assignment to `__proto__` would set the prototype instead of a member. */
  set(name: string, value: Json | undefined): void {
    if (value === (Object.hasOwn(this.#object, name) ? this.#object[name] : undefined)) return;
    this.#draft ??= { ...this.#object };
    if (value === undefined) delete this.#draft[name];
    else if (name !== '__proto__') this.#draft[name] = value;
    else
      Object.defineProperty(this.#draft, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
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
