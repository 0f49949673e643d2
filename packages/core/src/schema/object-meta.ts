import { childPath } from './field-path.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject } from './json-value.ts';

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const textMap: JsonSchema = { type: 'object', additionalProperties: text };
const flag: JsonSchema = { type: 'boolean' };
const anything: JsonSchema = {
  type: 'object',
  description: 'FieldsV1',
  'x-kubernetes-preserve-unknown-fields': true,
};

/**
 * `metadata` is the same for every kind; a CustomResourceDefinition cannot change it. Descriptions are the
 * names of the Go types, which decoding errors quote.
 */
export const objectMetaSchema: JsonSchema = {
  type: 'object',
  description: 'ObjectMeta',
  properties: {
    annotations: textMap,
    creationTimestamp: { type: 'string', nullable: true },
    deletionGracePeriodSeconds: { type: 'integer' },
    deletionTimestamp: { type: 'string' },
    finalizers: texts,
    generateName: text,
    generation: { type: 'integer' },
    labels: textMap,
    managedFields: {
      type: 'array',
      items: {
        type: 'object',
        description: 'ManagedFieldsEntry',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: anything,
          manager: text,
          operation: text,
          subresource: text,
          time: text,
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        description: 'OwnerReference',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: flag,
          controller: flag,
          kind: text,
          name: text,
          uid: text,
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};

/**
 * Why metadata cannot be decoded, for the first value of the wrong type. The messages are those of Go's JSON
 * decoder and name the Go type that has the field.
 */
export function findMetaMismatch(metadata: Json): string | undefined {
  return mismatch({ schema: objectMetaSchema, owner: 'ObjectMeta', field: '' }, metadata);
}

interface MetaPlace {
  readonly schema: JsonSchema;
  /** The Go type that has the field. */
  readonly owner: string;
  readonly field: string;
}

function mismatch(place: MetaPlace, value: Json): string | undefined {
  if (value === null) return undefined;
  const { schema, owner, field } = place;
  const found = isJsonArray(value) ? 'array' : typeof value;
  const expected = schema.type === 'integer' ? 'number' : schema.type;
  if (found !== expected) {
    const target = field === '' ? 'value' : `struct field ${owner}.${field}`;
    return `json: cannot unmarshal ${found === 'boolean' ? 'bool' : found} into Go ${target} of type ${goType(schema)}`;
  }
  for (const [below, entry] of placesBelow(place, value)) {
    const problem = mismatch(below, entry);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function placesBelow(place: MetaPlace, value: Json): readonly (readonly [MetaPlace, Json])[] {
  const { items, additionalProperties, properties = {}, description: owner = '' } = place.schema;
  if (isJsonArray(value) && items) return value.map((item) => [{ ...place, schema: items }, item] as const);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    if (typeof additionalProperties === 'object')
      return [[{ ...place, schema: additionalProperties }, entry] as const];
    const schema = properties[name];
    return schema ? [[{ schema, owner, field: childPath(place.field, name) }, entry] as const] : [];
  });
}

function goType(schema: JsonSchema): string {
  switch (schema.type) {
    case 'integer':
      return 'int64';
    case 'boolean':
      return 'bool';
    case 'array':
      return `[]${goType(schema.items ?? {})}`;
    case 'object':
      return schema.description === undefined ? 'map[string]string' : `v1.${schema.description}`;
    default:
      return 'string';
  }
}
