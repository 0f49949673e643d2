import { describe, expect, test } from 'vitest';
import { fieldErrorText } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { checkListTypes } from './list-types.ts';
import { validate } from './validate.ts';

const low: JsonSchema = { type: 'integer', minimum: 5 };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    s: { type: 'string', maxLength: 2 },
    o: {
      type: 'object',
      required: ['z'],
      properties: { z: { type: 'string' }, y: { type: 'integer' }, w: low },
    },
    a: { type: 'array', items: low },
    am: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, v: low, w: { type: 'integer' } },
      },
    },
    m: { type: 'object', additionalProperties: low },
    all: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      allOf: [{ properties: { a: { minimum: 5 } } }],
    },
    free: { type: 'object', maxProperties: 1, 'x-kubernetes-preserve-unknown-fields': true },
    x: { type: 'integer' },
  },
};

interface Row {
  readonly title: string;
  readonly before: Json;
  readonly after: Json;
  readonly errors: readonly string[];
}

const tooLow = (field: string, value: number): string =>
  `${field}: Invalid value: ${value}: ${field} in body should be greater than or equal to 5`;

// Observed from kube-apiserver 1.36.
const rows: readonly Row[] = [
  {
    title: 'keeps what an update does not touch',
    before: { s: 'aaaa' },
    after: { s: 'aaaa', x: 1 },
    errors: [],
  },
  {
    title: 'checks what an update changes',
    before: { s: 'aaaa' },
    after: { s: 'aaab' },
    errors: ['s: Too long: may not be more than 2 bytes'],
  },
  {
    title: 'keeps an object that lacks a required field',
    before: { o: {} },
    after: { o: {}, x: 1 },
    errors: [],
  },
  {
    title: 'demands the field when the object changes, and keeps its untouched part',
    before: { o: { w: 1 } },
    after: { o: { w: 1, y: 1 } },
    errors: ['o.z: Required value'],
  },
  { title: 'keeps a list as a whole', before: { a: [1, 2] }, after: { a: [1, 2], x: 1 }, errors: [] },
  {
    title: 'cannot follow the items of a plain list',
    before: { a: [1] },
    after: { a: [1, 7] },
    errors: [tooLow('a[0]', 1)],
  },
  {
    title: 'follows items by their keys',
    before: { am: [{ k: 'a', v: 1 }] },
    after: {
      am: [
        { k: 'b', v: 9 },
        { k: 'a', v: 1, w: 1 },
      ],
    },
    errors: [],
  },
  {
    title: 'cannot follow an item without its key',
    before: { am: [{ v: 1 }] },
    after: { am: [{ v: 1 }] },
    errors: [tooLow('am[0].v', 1), 'am[0].k: Required value'],
  },
  {
    title: 'follows map entries',
    before: { m: { a: 1, b: 1 } },
    after: { m: { a: 1, b: 2 } },
    errors: [tooLow('m.b', 2)],
  },
  {
    title: 'does not excuse the branches of a combinator',
    before: { all: { a: 1 } },
    after: { all: { a: 1, b: 1 } },
    errors: [
      tooLow('all.a', 1),
      '<nil>: Invalid value: "": "all" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    title: 'cannot follow what the schema does not describe',
    before: { free: { p: 1, q: 1 } },
    after: { free: { p: 1, q: 1 } },
    errors: ['free: Too many: 2: must have at most 1 item'],
  },
  { title: 'keeps even a wrong type', before: { a: 'x' }, after: { a: 'x', x: 1 }, errors: [] },
];

describe('validation on update', () => {
  test.each(rows)('$title', ({ before, after, errors }) => {
    expect(validate(schema, after, { before }).map(fieldErrorText)).toEqual(errors);
  });
});

describe('list types', () => {
  const set: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  const keyed: JsonSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'l'],
    items: { type: 'object', properties: { k: { type: 'string' }, l: { type: 'integer' } } },
  };

  test.each<[string, JsonSchema, Json, readonly string[]]>([
    ['the second of equal items of a set', set, ['a', 'b', 'a', 'a'], ['[2]: Duplicate value: "a"']],
    [
      'items with equal keys',
      keyed,
      [
        { k: 'a', l: 1 },
        { l: 1, k: 'a', v: 2 },
      ],
      ['[1]: Duplicate value: {"k":"a","l":1}'],
    ],
    [
      'items that cannot have keys',
      keyed,
      [1],
      ['[0]: Invalid value: 1: must be an object for an array of list-type map'],
    ],
    [
      'the map key above the list, in brackets',
      { type: 'object', additionalProperties: set },
      { 'a.b': ['x', 'x'] },
      ['[a.b][1]: Duplicate value: "x"'],
    ],
    ['nothing in a plain list', { type: 'array', items: { type: 'string' } }, ['a', 'a'], []],
  ])('report %s', (_, listSchema, value, errors) => {
    expect(checkListTypes(listSchema, value).map(fieldErrorText)).toEqual(errors);
  });
});
