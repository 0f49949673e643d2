import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '@karpenter/core/schema';
import { parse } from '@marcbachmann/cel-js';
import { escapedName } from './field-names.ts';

/**
 * An object with declared fields, in contrast to a map. The class exists
 * because the CEL library infers the type of a plain Map from its first entry,
 * and would then refuse to compare two objects that have different fields set.
 */
export class CelObject extends Map<string, CelValue> {}

/** Shape of the CEL library's duration value; it does not export the class. */
export interface CelDuration {
  readonly seconds: bigint;
  readonly nanos: number;
}

export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | CelDuration
  | Uint8Array
  | readonly CelValue[]
  | ReadonlySet<CelValue>
  | CelObject
  | ReadonlyMap<string, CelValue>;

const keysOfLists = new WeakMap<object, readonly string[]>();

/** Returns the keys of a list of type `map`. Such lists are equal in any order. */
export function listKeys(list: readonly CelValue[]): readonly string[] | undefined {
  return keysOfLists.get(list);
}

/**
 * Converts JSON to CEL values. The schema decides between
 * int and double, map and object, string and timestamp.
 */
export function toCel(schema: JsonSchema, value: Json): CelValue {
  if (typeof value === 'number') return celNumber(schema, value);
  if (typeof value === 'string') return celString(schema, value);
  if (isJsonArray(value)) return celList(schema, value);
  return isJsonObject(value) ? celStruct(schema, value) : value;
}

/**
 * Converts a whole custom resource: its rules may also read apiVersion, kind, metadata.name and generateName.
 */
export function resourceToCel(schema: JsonSchema, value: JsonObject): CelValue {
  return toCel({ ...schema, 'x-kubernetes-embedded-resource': true }, value);
}

function celNumber(schema: JsonSchema, value: number): bigint | number {
  return schema.type !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function celString(schema: JsonSchema, value: string): CelValue {
  switch (schema.type === 'string' ? schema.format : undefined) {
    case 'date':
    case 'date-time':
      return celTimestamp(value);
    case 'duration':
      return celDuration(value);
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    default:
      return value;
  }
}

function celTimestamp(text: string): CelValue {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date;
}

const readDuration = parse('duration(text)');

/** Returns text such as `2 days` unchanged: the OpenAPI format allows it and CEL's duration() does not. */
function celDuration(text: string): CelValue {
  try {
    return readDuration({ text });
  } catch {
    return text;
  }
}

const scalars = new Set(['string', 'integer', 'number', 'boolean']);

function celList(schema: JsonSchema, value: readonly Json[]): CelValue {
  const { items = {} } = schema;
  const list = value.map((item) => toCel(items, item));
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys) keysOfLists.set(list, keys.map(escapedName));
  if (schema['x-kubernetes-list-type'] !== 'set' || !scalars.has(items.type ?? '')) return list;
  const set = new Set(list);
  // An invalid set with a duplicate item stays a list, so that size() counts the duplicate.
  return set.size === list.length ? set : list;
}

function celStruct(schema: JsonSchema, value: JsonObject): CelValue {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return new Map(Object.entries(value).map(([key, entry]) => [key, toCel(additionalProperties, entry)]));
  }
  const declared = declaredFields(schema);
  return new CelObject(
    Object.entries(value).flatMap(([name, entry]) => {
      const field = Object.hasOwn(declared, name) ? declared[name] : undefined;
      // A declared field that is null counts as absent. Undeclared fields are kept: no
      // rule can name them, but two objects that differ in one are not equal.
      if (entry === null && field) return [];
      return [[escapedName(name), toCel(field ?? {}, entry)]];
    }),
  );
}

const text: JsonSchema = { type: 'string' };
const resourceFields = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
} as const satisfies Record<string, JsonSchema>;

function declaredFields(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = schema;
  return schema['x-kubernetes-embedded-resource'] === true
    ? { ...properties, ...resourceFields }
    : properties;
}
