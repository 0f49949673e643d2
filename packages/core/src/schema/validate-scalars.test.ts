import { expect, test } from 'vitest';
import { fieldErrorText } from './field-error.ts';
import type { Json, JsonSchema } from './json-schema.ts';
import type { PatternMatcher } from './rule-checker.ts';
import { validate } from './validate.ts';

/** These patterns mean the same in JavaScript as in RE2. */
const patterns: PatternMatcher = {
  matchesPattern: (pattern, text) => new RegExp(pattern, 'u').test(text),
};

interface Row {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly errors: readonly string[];
}

// Observed from kube-apiserver 1.36: the schema stood at spec.x of a CustomResourceDefinition.
const rows: readonly Row[] = [
  {
    title: 'names both types when a value has the wrong one',
    schema: { type: 'string' },
    value: 1,
    errors: ['spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"'],
  },
  {
    title: 'distinguishes an integer from a fraction',
    schema: { type: 'integer' },
    value: 1.5,
    errors: [
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
    ],
  },
  {
    title: 'describes a fraction in a sized integer by its size',
    schema: { type: 'integer', format: 'int32' },
    value: 1.5,
    errors: [
      'spec.x: Invalid value: "float64": spec.x in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x',
    ],
  },
  {
    title: 'names no field when an integer is too large for its size',
    schema: { type: 'integer', format: 'int32' },
    value: 3000000000,
    errors: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
  },
  {
    title: 'takes a number beyond int64 for a fraction',
    schema: { type: 'integer' },
    value: 10000000000000000000,
    errors: [
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
    ],
  },
  {
    title: 'refuses null inside a list',
    schema: { type: 'array', items: { type: 'string' } },
    value: [null],
    errors: ['spec.x[0]: Invalid value: "null": spec.x[0] in body must be of type string: "null"'],
  },
  {
    title: 'checks single precision',
    schema: { type: 'number', format: 'float' },
    value: 1e39,
    errors: ['<nil>: Invalid value: "": Checked value must be of type number with format float in spec.x'],
  },
  {
    title: 'lists what an enumeration supports',
    schema: { type: 'string', enum: ['a', 'b'] },
    value: 'c',
    errors: ['spec.x: Unsupported value: "c": supported values: "a", "b"'],
  },
  {
    title: 'quotes numbers among supported values',
    schema: { type: 'integer', enum: [1, 2] },
    value: 3,
    errors: ['spec.x: Unsupported value: 3: supported values: "1", "2"'],
  },
  {
    title: 'shows an object in an enumeration as JSON',
    schema: { type: 'object', properties: { a: { type: 'string' } }, enum: [{ a: '<' }] },
    value: { a: 'y' },
    errors: ['spec.x: Unsupported value: {"a":"y"}: supported values: "{\\"a\\":\\"\\\\u003c\\"}"'],
  },
  {
    title: 'checks the enumeration even when the type is wrong',
    schema: { type: 'string', enum: ['a'] },
    value: 1,
    errors: [
      'spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"',
      'spec.x: Unsupported value: 1: supported values: "a"',
    ],
  },
  {
    title: 'applies an inclusive maximum',
    schema: { type: 'integer', maximum: 3 },
    value: 4,
    errors: ['spec.x: Invalid value: 4: spec.x in body should be less than or equal to 3'],
  },
  {
    title: 'applies an exclusive maximum',
    schema: { type: 'integer', maximum: 3, exclusiveMaximum: true },
    value: 3,
    errors: ['spec.x: Invalid value: 3: spec.x in body should be less than 3'],
  },
  {
    title: 'applies an inclusive minimum',
    schema: { type: 'integer', minimum: 3 },
    value: 2,
    errors: ['spec.x: Invalid value: 2: spec.x in body should be greater than or equal to 3'],
  },
  {
    title: 'applies an exclusive minimum',
    schema: { type: 'integer', minimum: 3, exclusiveMinimum: true },
    value: 3,
    errors: ['spec.x: Invalid value: 3: spec.x in body should be greater than 3'],
  },
  {
    title: 'compares a fraction with a fractional limit',
    schema: { type: 'number', minimum: 1.5 },
    value: 1.25,
    errors: ['spec.x: Invalid value: 1.25: spec.x in body should be greater than or equal to 1.5'],
  },
  {
    title: 'compares a whole number with the whole part of a fractional limit',
    schema: { type: 'number', minimum: 1.5 },
    value: 1,
    errors: [],
  },
  {
    title: 'refuses a fractional limit on an integer, and applies it',
    schema: { type: 'integer', maximum: 5.5 },
    value: 6,
    errors: [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.x',
      'spec.x: Invalid value: 6: spec.x in body should be less than or equal to 5.5',
    ],
  },
  {
    title: 'writes large fractions with an exponent',
    schema: { type: 'number', maximum: -10000000 },
    value: 3000000.5,
    errors: ['spec.x: Invalid value: 3.0000005e+06: spec.x in body should be less than or equal to -1e+07'],
  },
  {
    title: 'reports a number that is no multiple',
    schema: { type: 'integer', multipleOf: 3 },
    value: 4,
    errors: ['spec.x: Invalid value: 4: spec.x in body should be a multiple of 3'],
  },
  {
    title: 'multiplies by the inverse of a small factor',
    schema: { type: 'number', multipleOf: 0.1 },
    value: 0.3,
    errors: [],
  },
  {
    title: 'refuses a factor that has no whole part, for a whole number',
    schema: { type: 'number', multipleOf: 0.1 },
    value: 1,
    errors: ['spec.x: Invalid value: 0: factor MultipleOf declared for spec.x must be positive: 0'],
  },
  {
    title: 'reports every limit that a number breaks',
    schema: { type: 'integer', minimum: 5, multipleOf: 5 },
    value: 3,
    errors: [
      'spec.x: Invalid value: 3: spec.x in body should be a multiple of 5',
      'spec.x: Invalid value: 3: spec.x in body should be greater than or equal to 5',
    ],
  },
  {
    title: 'counts characters, not bytes, and says bytes',
    schema: { type: 'string', maxLength: 3 },
    value: 'éééé',
    errors: ['spec.x: Too long: may not be more than 3 bytes'],
  },
  {
    title: 'accepts three characters outside the basic plane',
    schema: { type: 'string', maxLength: 3 },
    value: '💩💩💩',
    errors: [],
  },
  {
    title: 'says byte for one',
    schema: { type: 'string', maxLength: 1 },
    value: 'ab',
    errors: ['spec.x: Too long: may not be more than 1 byte'],
  },
  {
    title: 'reports a short string',
    schema: { type: 'string', minLength: 3 },
    value: 'ab',
    errors: ['spec.x: Invalid value: "ab": spec.x in body should be at least 3 chars long'],
  },
  {
    title: 'reports a pattern',
    schema: { type: 'string', pattern: '^a+$' },
    value: 'b',
    errors: ['spec.x: Invalid value: "b": spec.x in body should match \'^a+$\''],
  },
  {
    title: 'stops at the first of length and pattern',
    schema: { type: 'string', minLength: 3, pattern: '^z' },
    value: 'ab',
    errors: ['spec.x: Invalid value: "ab": spec.x in body should be at least 3 chars long'],
  },
  {
    title: 'quotes unprintable characters as Go does',
    schema: { type: 'string', enum: ['a'] },
    value: 'x"\n\u0001\u007f\u200bé',
    errors: ['spec.x: Unsupported value: "x\\"\\n\\x01\\x7f\\u200bé": supported values: "a"'],
  },
  {
    title: 'accepts a number for int-or-string',
    schema: { 'x-kubernetes-int-or-string': true },
    value: 1,
    errors: [],
  },
  {
    title: 'refuses a fraction for int-or-string',
    schema: { 'x-kubernetes-int-or-string': true },
    value: 1.5,
    errors: ['spec.x: Invalid value: "number": spec.x in body must be of type integer,string: "number"'],
  },
  {
    title: 'applies the pattern of int-or-string to strings',
    schema: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^a+$',
    },
    value: 'b',
    errors: ['spec.x: Invalid value: "b": spec.x in body should match \'^a+$\''],
  },
  {
    title: 'reports the alternatives of int-or-string',
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    value: true,
    errors: [
      'spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x: Invalid value: "boolean": spec.x in body must be of type integer: "boolean"',
    ],
  },
  {
    title: 'lets null pass where it is allowed',
    schema: { type: 'string', nullable: true, minLength: 3 },
    value: null,
    errors: [],
  },
  {
    title: 'checks null against the enumeration',
    schema: { type: 'string', nullable: true, enum: ['a'] },
    value: null,
    errors: ['spec.x: Unsupported value: null: supported values: "a"'],
  },
  {
    title: 'names the format that a string misses',
    schema: { type: 'string', format: 'date-time' },
    value: 'x',
    errors: ['spec.x: Invalid value: "x": spec.x in body must be of type date-time: "x"'],
  },
  {
    title: 'ignores a format it does not know',
    schema: { type: 'string', format: 'whatever' },
    value: 'x',
    errors: [],
  },
  {
    title: 'describes a number by its Go type where a formatted string belongs',
    schema: { type: 'string', format: 'date' },
    value: 1,
    errors: ['spec.x: Invalid value: "int64": spec.x in body must be of type date: "int64"'],
  },
  {
    title: 'does not describe a boolean where a formatted string belongs',
    schema: { type: 'string', format: 'date' },
    value: true,
    errors: ['spec.x: Invalid value: "": spec.x in body must be of type date: ""'],
  },
];

test.each(rows)('$title', ({ schema, value, errors }) => {
  expect(validate(schema, value, { path: 'spec.x', patterns }).map(fieldErrorText)).toEqual(errors);
});
