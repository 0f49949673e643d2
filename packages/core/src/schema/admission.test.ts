import { describe, expect, test } from 'vitest';
import { inSteps } from '../yielding/index.ts';
import { admitCustomResource, type SchemaAdmissionRequest } from './admission.ts';
import type { CustomResourceDefinition, CustomResourceVersion } from './custom-resource-definition.ts';
import type { FieldError } from './field-error.ts';
import type { JsonObject, JsonSchema } from './json-schema.ts';
import type { RuleChecker } from './rule-checker.ts';

const ruleError: FieldError = { type: 'Invalid', field: 'spec.c', detail: 'failed' };

// Texts observed from kube-apiserver 1.36.

const noRules: RuleChecker = { check: () => inSteps([], () => ruleError), matchesPattern: () => true };

function definition(
  schema: JsonSchema,
  subresources?: NonNullable<CustomResourceVersion['subresources']>,
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.fz.test' },
    spec: {
      group: 'fz.test',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(subresources ? { subresources } : {}),
        },
      ],
    },
  };
}

const spec = (properties: JsonSchema['properties'] = {}): JsonSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

const thing = (rest: JsonObject): JsonObject => ({
  apiVersion: 'fz.test/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  ...rest,
});

function admit(
  request: Partial<SchemaAdmissionRequest> & Pick<SchemaAdmissionRequest, 'definition' | 'object'>,
) {
  return admitCustomResource({ fieldValidation: 'Strict', rules: noRules, ...request });
}

function causeTexts(result: ReturnType<typeof admit>): readonly string[] {
  return 'causes' in result ? result.causes.map(({ field, message }) => `${field}: ${message}`) : [];
}

describe('decoding', () => {
  const plain = definition(spec({ a: { type: 'string', default: 'd' } }));
  const opening = 'Thing in version "v1" cannot be handled as a Thing: ';

  test('lists unknown fields, those of metadata first', () => {
    const object = thing({ bogus: 1, metadata: { name: 'x', zz: 1 }, spec: { q: 1 } });
    expect(admit({ definition: plain, object })).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: `${opening}strict decoding error: unknown field "metadata.zz", unknown field "bogus", unknown field "spec.q"`,
      causes: [],
    });
  });

  test('warns about unknown fields with fieldValidation Warn, and drops them', () => {
    const object = thing({ spec: { q: 1 } });
    expect(admit({ definition: plain, object, fieldValidation: 'Warn' })).toEqual({
      code: 201,
      object: thing({ spec: { a: 'd' } }),
      warnings: ['unknown field "spec.q"'],
    });
    expect(admit({ definition: plain, object, fieldValidation: 'Ignore' })).toMatchObject({ warnings: [] });
  });

  test.each([
    [{ name: 1 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
    [
      { labels: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      { labels: ['x'] },
      'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { finalizers: 'x' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
    ],
    [
      { generation: 'x' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { ownerReferences: [{ controller: 'x' }] },
      'json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool',
    ],
    [
      { ownerReferences: {} },
      'json: cannot unmarshal object into Go struct field ObjectMeta.ownerReferences of type []v1.OwnerReference',
    ],
    [1, 'json: cannot unmarshal number into Go value of type v1.ObjectMeta'],
  ])('rejects metadata %j', (metadata, problem) => {
    const result = admit({ definition: plain, object: thing({ metadata }) });
    expect(result).toMatchObject({ code: 400, message: opening + problem });
  });

  test('rejects another version', () => {
    const object = { ...thing({}), apiVersion: 'fz.test/v2' };
    expect(admit({ definition: plain, version: 'v1', object })).toMatchObject({
      code: 400,
      message:
        'the API version in the data (fz.test/v2) does not match the expected API version (fz.test/v1)',
    });
  });

  test('rejects another kind', () => {
    const object = { ...thing({}), kind: 'Nope' };
    expect(admit({ definition: plain, object })).toMatchObject({
      code: 422,
      message: 'Nope.fz.test "x" is invalid: kind: Invalid value: "Nope": must be Thing',
    });
  });
});

describe('validation', () => {
  test('puts several errors in brackets', () => {
    const two = definition(spec({ a: { type: 'string' }, b: { type: 'integer', maximum: 100 } }));
    expect(admit({ definition: two, object: thing({ spec: { a: 1, b: 101 } }) })).toEqual({
      code: 422,
      reason: 'Invalid',
      message:
        'Thing.fz.test "x" is invalid: [spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer", ' +
        'spec.b: Invalid value: 101: spec.b in body should be less than or equal to 100]',
      causes: [
        {
          reason: 'FieldValueTypeInvalid',
          field: 'spec.a',
          message: 'Invalid value: "integer": spec.a in body must be of type string: "integer"',
        },
        {
          reason: 'FieldValueInvalid',
          field: 'spec.b',
          message: 'Invalid value: 101: spec.b in body should be less than or equal to 100',
        },
      ],
    });
  });

  test('names no field for the object itself', () => {
    const root = definition({ ...spec(), minProperties: 9 });
    expect(causeTexts(admit({ definition: root, object: thing({}) }))).toEqual([
      '<nil>: Invalid value: 3:  in body should have at least 9 properties',
    ]);
  });

  const heldBack =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation';
  const ruled = definition(
    spec({
      c: { type: 'string', 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] },
      s: { type: 'string', maxLength: 3, minLength: 2 },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    }),
  );
  const alwaysFails: RuleChecker = {
    matchesPattern: () => true,
    check: () => inSteps([ruleError], (error) => error),
  };

  test.each([
    ['a wrong type', { s: 1 }, true],
    ['a long string', { s: 'abcd' }, true],
    ['a short string', { s: 'a' }, false],
    ['a repeated item', { set: ['a', 'a'] }, false],
  ])('skips CEL rules, or not, after %s', (_, given, isHeldBack) => {
    const texts = causeTexts(
      admit({ definition: ruled, object: thing({ spec: given }), rules: alwaysFails }),
    );
    expect(texts.at(-1)).toBe(isHeldBack ? heldBack : 'spec.c: Invalid value: failed');
  });

  test('requires a valid type for an embedded resource', () => {
    const embedding = definition(
      spec({
        emb: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      }),
    );
    const texts = (emb: JsonObject) =>
      causeTexts(admit({ definition: embedding, object: thing({ spec: { emb } }) }));
    expect(texts({})).toEqual(['spec.emb.apiVersion: Required value', 'spec.emb.kind: Required value']);
    expect(texts({ apiVersion: 'a/b/c', kind: '' })).toEqual([
      'spec.emb.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'spec.emb.kind: Invalid value: "": must not be empty',
    ]);
    expect(texts({ apiVersion: 'v1', kind: 'Foo', more: 1 })).toEqual([]);
  });
});

describe('the scale subresource', () => {
  const scaled = definition(
    {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
    { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  );

  test.each([
    [
      'x',
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
    ],
    [
      true,
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: true is of the type bool, expected int64',
    ],
    [
      1.5,
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64',
    ],
    [
      {},
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: map[] is of the type map[string]interface {}, expected int64',
    ],
    [-1, '.spec.replicas: Invalid value: -1: should be a non-negative integer'],
    [3e9, '.spec.replicas: Invalid value: 3000000000: should be less than or equal to 2147483647'],
  ])('rejects %j as a count', (replicas, text) => {
    expect(causeTexts(admit({ definition: scaled, object: thing({ spec: { replicas } }) }))).toEqual([text]);
  });

  test('accepts a missing count', () => {
    expect(admit({ definition: scaled, object: thing({ spec: {} }) }).code).toBe(201);
  });
});

describe('status', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a: { type: 'string' } } },
      status: { type: 'object', properties: { b: { type: 'integer', default: 4 } } },
    },
  };
  const own = definition(schema, { status: {} });
  const stored = thing({ spec: { a: 'old' }, status: { b: 1 } });

  test('is dropped on create if there is a subresource, valid or not', () => {
    expect(admit({ definition: own, object: thing({ status: { b: 'x' } }) })).toMatchObject({
      object: thing({}),
    });
    expect(admit({ definition: definition(schema), object: thing({ status: { b: 2 } }) })).toMatchObject({
      object: thing({ status: { b: 2 } }),
    });
  });

  test('stays as stored on update of the resource', () => {
    const object = thing({ spec: { a: 'new' }, status: { b: 2 } });
    expect(admit({ definition: own, object, oldObject: stored })).toEqual({
      code: 200,
      object: thing({ spec: { a: 'new' }, status: { b: 1 } }),
      warnings: [],
    });
  });

  test('is all that changes on update of the subresource', () => {
    const object = thing({ spec: { a: 'new' }, status: { b: 2 } });
    expect(admit({ definition: own, object, oldObject: stored, subresource: 'status' })).toMatchObject({
      object: thing({ spec: { a: 'old' }, status: { b: 2 } }),
    });
  });
});
