import type { JsonSchema } from '@karpenter/core/schema';
import { type FieldType, FieldTypes } from './field-type.ts';

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'integer' };
const textMap: JsonSchema = { type: 'object', additionalProperties: text };
const owner: JsonSchema = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: text,
    blockOwnerDeletion: { type: 'boolean' },
    controller: { type: 'boolean' },
    kind: text,
    name: text,
    uid: text,
  },
};

/** The same for every kind, whatever its schema has for `metadata`. */
const objectMeta: JsonSchema = {
  type: 'object',
  default: {},
  properties: {
    annotations: textMap,
    creationTimestamp: { type: 'string', format: 'date-time' },
    deletionGracePeriodSeconds: number,
    deletionTimestamp: { type: 'string', format: 'date-time' },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: number,
    labels: textMap,
    managedFields: { type: 'array', items: { type: 'object' } },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: owner,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};

interface TypeCache {
  readonly types: FieldTypes;
  readonly roots: WeakMap<JsonSchema, FieldType>;
}

const builtIn: TypeCache = { types: new FieldTypes({ hasZeroValues: true }), roots: new WeakMap() };
const custom: TypeCache = { types: new FieldTypes({ hasZeroValues: false }), roots: new WeakMap() };

/** The field type of a kind's objects; computed once per schema. */
export function objectType(schema: JsonSchema, isCustom: boolean): FieldType {
  const { types, roots } = isCustom ? custom : builtIn;
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMeta };
  const type = types.of({ ...schema, type: 'object', properties });
  roots.set(schema, type);
  return type;
}
