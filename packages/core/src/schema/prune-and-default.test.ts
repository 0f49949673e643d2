import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyDefaults } from './apply-defaults.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { prune } from './prune.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    a: {
      type: 'object',
      default: {},
      properties: {
        b: { type: 'string', default: 'q' },
        c: { type: 'string', nullable: true, default: 'n' },
      },
    },
    l: {
      type: 'array',
      default: [{}],
      items: { type: 'object', properties: { z: { type: 'integer', default: 3 } } },
    },
    m: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { z: { type: 'integer', default: 3 } } },
    },
    ms: { type: 'object', additionalProperties: { type: 'string', default: 'dd' } },
    p: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { z: { type: 'object', properties: { y: { type: 'integer' } } } },
    },
    s: { type: 'string' },
    n: { type: 'string', nullable: true },
    e: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
  },
};

// Observed from kube-apiserver 1.36.
describe('applyDefaults', () => {
  const base = { a: { b: 'q', c: 'n' }, l: [{ z: 3 }] };

  test.each<[string, Json, Json]>([
    ['fills nested defaults below a default', {}, base],
    [
      'takes null for absent where null is not allowed',
      { a: { b: null, c: null } },
      { ...base, a: { b: 'q', c: null } },
    ],
    ['drops a null that has no default', { s: null }, base],
    ['keeps a null that is allowed', { n: null }, { ...base, n: null }],
    ['leaves an empty list empty', { l: [] }, { ...base, l: [] }],
    ['fills the entries of a map', { m: { x: {} } }, { ...base, m: { x: { z: 3 } } }],
    [
      'drops a null entry of a map, or defaults it',
      { m: { x: null }, ms: { x: null } },
      { ...base, m: {}, ms: { x: 'dd' } },
    ],
    ['keeps nulls that the schema does not describe', { p: { y: null } }, { ...base, p: { y: null } }],
    ['leaves a value of another type alone', { a: 'x' }, { ...base, a: 'x' }],
  ])('%s', (_, given, expected) => {
    expect(applyDefaults(schema, given)).toEqual(expected);
  });

  test('shares unchanged parts', () => {
    const given = { ...base, s: 'x' };
    expect(applyDefaults(schema, given)).toBe(given);
  });
});

describe('prune', () => {
  test('drops unknown fields and names them', () => {
    const given: Json = {
      bogus: 1,
      l: [{ z: 1 }, { q: 1 }],
      m: { x: { q: 1 } },
      p: { any: { thing: 1 }, z: { y: 1, q: 1 } },
    };
    expect(prune(schema, given)).toEqual({
      value: { l: [{ z: 1 }, {}], m: { x: {} }, p: { any: { thing: 1 }, z: { y: 1 } } },
      unknownFields: ['bogus', 'l[1].q', 'm.x.q', 'p.z.q'],
    });
  });

  test('keeps the type and the metadata of a resource, but not unknown metadata', () => {
    const given = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', odd: 1 }, s: 'a' };
    expect(prune(schema, given, { isResource: true })).toEqual({
      value: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, s: 'a' },
      unknownFields: ['metadata.odd'],
    });
  });

  test('keeps the type of an embedded resource', () => {
    const given = { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, more: 1 } };
    expect(prune(schema, given).unknownFields).toEqual(['e.more']);
  });

  test('ignores inherited JavaScript members', () => {
    expect(prune(schema, JSON.parse('{"constructor":1,"__proto__":{"s":"x"}}')).unknownFields).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

const names = fc.constantFrom('a', 'b', 'l', 'm', 'ms', 'p', 's', 'n', 'e', 'z', 'bogus', '__proto__');
const value = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(names, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any;

describe('any value', () => {
  test('has nothing left to prune once pruned', () => {
    fc.assert(
      fc.property(value, (given) => {
        const once = prune(schema, given).value;
        expect(prune(schema, once)).toEqual({ value: once, unknownFields: [] });
      }),
    );
  });

  test('has nothing left to default once defaulted', () => {
    fc.assert(
      fc.property(value, (given) => {
        const once = applyDefaults(schema, given);
        expect(applyDefaults(schema, once)).toEqual(once);
      }),
    );
  });

  test('gets no unknown field from defaults', () => {
    fc.assert(
      fc.property(value, (given) => {
        const done = applyDefaults(schema, prune(schema, given).value);
        expect(prune(schema, done).unknownFields).toEqual([]);
      }),
    );
  });
});
