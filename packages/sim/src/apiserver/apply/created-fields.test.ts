import type { Json, JsonObject, JsonSchema } from '@karpenter/core/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, withoutFields } from './comparison.ts';
import { createdFields } from './created-fields.ts';
import { type FieldSet, fieldSetOf, union } from './field-set.ts';
import { objectType } from './object-type.ts';
import { withoutServerFields } from './ownership.ts';
import { inElementOrder } from './path-element.ts';

const text: JsonSchema = { type: 'string' };
const item: JsonSchema = {
  type: 'object',
  properties: { name: text, port: { type: 'integer' }, more: { type: 'object', additionalProperties: text } },
};
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      default: {},
      properties: {
        atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        list: { type: 'array', items: item },
        keyed: {
          type: 'array',
          items: item,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        free: { 'x-kubernetes-preserve-unknown-fields': true },
        struct: { ...item, default: {} },
      },
    },
    status: { type: 'object', default: {}, properties: { phase: text } },
  },
};

const word = fc.constantFrom('a', 'b', 'c');
const scalar = fc.oneof(word, fc.integer({ min: 0, max: 2 }), fc.constant(null));
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const map = fc.dictionary(word, word, { maxKeys: 2 });
const items = fc.array(
  fc.record({ name: word, port: optional(scalar), more: optional(map) }, { requiredKeys: ['name'] }),
  { maxLength: 2 },
);
const objects = fc
  .record({
    atom: optional(map),
    list: optional(items),
    keyed: optional(items),
    set: optional(fc.uniqueArray(word, { maxLength: 2 })),
    free: optional(fc.oneof(scalar, map, fc.array(map, { maxLength: 2 }))),
    struct: optional(fc.record({ name: optional(word), more: optional(map) })),
  })
  .map((spec): JsonObject => {
    const value: Json = JSON.parse(JSON.stringify(spec));
    return { metadata: { name: 'x', labels: { app: 'a' } }, spec: value, status: { phase: 'a' } };
  });

const status = fieldSetOf(['f:status']);

/** Without remembering anything. */
function fieldsOf(object: JsonObject, isCustom: boolean, resetFields: FieldSet | undefined): FieldSet {
  const all = compareValues(objectType(schema, isCustom), {}, object);
  const { added, modified } = resetFields === undefined ? all : withoutFields(all, resetFields);
  return inElementOrder(withoutServerFields(union(modified, added)));
}

describe('the fields of a new object', () => {
  it('equal those computed without a cache, whatever was created before', () => {
    const creations = fc.tuple(objects, fc.boolean(), fc.constantFrom(undefined, status));
    fc.assert(
      fc.property(fc.array(creations, { minLength: 1, maxLength: 40 }), (all) => {
        for (const [object, isCustom, resetFields] of all) {
          const found = createdFields(objectType(schema, isCustom), object, resetFields);
          expect(JSON.stringify(found)).toBe(JSON.stringify(fieldsOf(object, isCustom, resetFields)));
        }
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('are one shared set for objects that differ only in values', () => {
    const type = objectType(schema, false);
    const object = (name: string): JsonObject => ({ metadata: { name }, spec: { struct: { name } } });
    expect(createdFields(type, object('a'), status)).toBe(createdFields(type, object('b'), status));
  });
});
