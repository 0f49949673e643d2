import { expect, test } from 'vitest';
import { fieldErrorText } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import { validate } from './validate.ts';

interface Row {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly errors: readonly string[];
}

// Observed from kube-apiserver 1.36: the schema stood at spec.x of a CustomResourceDefinition.
const rows: readonly Row[] = [
  {
    title: 'reports a short list',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 2 },
    value: [1],
    errors: ['spec.x: Invalid value: 1: spec.x in body should have at least 2 items'],
  },
  {
    title: 'reports a long list',
    schema: { type: 'array', items: { type: 'integer' }, maxItems: 1 },
    value: [1, 2],
    errors: ['spec.x: Too many: 2: must have at most 1 item'],
  },
  {
    title: 'reports a small map',
    schema: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 2 },
    value: { a: 'x' },
    errors: ['spec.x: Invalid value: 1: spec.x in body should have at least 2 properties'],
  },
  {
    title: 'reports a large map',
    schema: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
    value: { a: 'x', b: 'y' },
    errors: ['spec.x: Too many: 2: must have at most 1 item'],
  },
  {
    title: 'reports every required field',
    schema: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
    value: {},
    errors: ['spec.x.a: Required value', 'spec.x.b: Required value'],
  },
  {
    title: 'joins map keys with a dot',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    value: { 'kubernetes.io/arch': 'x' },
    errors: [
      'spec.x.kubernetes.io/arch: Invalid value: "string": spec.x.kubernetes.io/arch in body must be of type integer: "string"',
    ],
  },
  {
    title: 'counts list items in brackets',
    schema: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    value: [[1], [2, 'x']],
    errors: ['spec.x[1][1]: Invalid value: "string": spec.x[1][1] in body must be of type integer: "string"'],
  },
  {
    title: 'demands one alternative of anyOf and reports the closest',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    value: {},
    errors: [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x.a: Required value',
    ],
  },
  {
    title: 'prefers the alternative that looked deeper',
    schema: {
      type: 'object',
      properties: { b: { type: 'string' }, c: { type: 'object', properties: { d: { type: 'integer' } } } },
      anyOf: [
        { properties: { b: { minLength: 5 } } },
        { properties: { c: { properties: { d: { minimum: 5 } } } } },
      ],
    },
    value: { b: 'b', c: { d: 1 } },
    errors: [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x.c.d: Invalid value: 1: spec.x.c.d in body should be greater than or equal to 5',
    ],
  },
  {
    title: 'prefers a number over a string among alternatives',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      anyOf: [{ properties: { b: { minLength: 5 } } }, { properties: { a: { minimum: 5 } } }],
    },
    value: { a: 1, b: 'b' },
    errors: [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x.a: Invalid value: 1: spec.x.a in body should be greater than or equal to 5',
    ],
  },
  {
    title: 'counts the alternatives of oneOf that hold',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    value: { a: 'x', b: 'y' },
    errors: [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    title: 'reports oneOf without any',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    value: {},
    errors: [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid',
      'spec.x.a: Required value',
    ],
  },
  {
    title: 'reports what allOf lacks',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    value: { a: 'x' },
    errors: [
      'spec.x.b: Required value',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf)',
    ],
  },
  {
    title: 'says when nothing of allOf holds',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    value: {},
    errors: [
      'spec.x.a: Required value',
      'spec.x.b: Required value',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    title: 'reports not',
    schema: { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['a'] } },
    value: { a: 'x' },
    errors: ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
  },
  {
    title: 'reports the same finding once',
    schema: {
      type: 'object',
      properties: { x: { type: 'integer' } },
      allOf: [{ properties: { x: { minimum: 5 } } }, { properties: { x: { minimum: 5 } } }],
    },
    value: { x: 1 },
    errors: [
      'spec.x.x: Invalid value: 1: spec.x.x in body should be greater than or equal to 5',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
    ],
  },
];

test.each(rows)('$title', ({ schema, value, errors }) => {
  expect(validate(schema, value, { path: 'spec.x' }).map(fieldErrorText)).toEqual(errors);
});
