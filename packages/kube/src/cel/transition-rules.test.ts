import {
  type FieldError,
  fieldErrorText,
  type Json,
  type JsonSchema,
  type ValidationRule,
} from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { describe, expect, test } from 'vitest';
import { CelRuleChecker } from './rule-checker.ts';

const rules = (...texts: readonly (string | ValidationRule)[]): JsonSchema => ({
  'x-kubernetes-validations': texts.map((text) => (typeof text === 'string' ? { rule: text } : text)),
});

const schema: JsonSchema = {
  type: 'object',
  properties: {
    s: {
      type: 'string',
      ...rules("self != 'bad'", 'self.startsWith(oldSelf)', {
        rule: "self != 'bad2' || oldSelf.hasValue()",
        optionalOldSelf: true,
        message: 'created bad2',
      }),
    },
    o: {
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: { type: 'integer', ...rules('self >= oldSelf', 'self < 100') },
      },
      ...rules('self.a < 5', 'self.a >= oldSelf.a', '!has(oldSelf.b) || has(self.b)'),
    },
    am: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        required: ['k'],
        properties: {
          k: { type: 'string' },
          v: { type: 'integer', ...rules('self >= oldSelf', 'self < 5') },
        },
      },
      ...rules('self.size() >= oldSelf.size()'),
    },
    as: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'string' },
      ...rules('self == oldSelf'),
    },
    al: { type: 'array', items: { type: 'string', ...rules("self != 'bad'") } },
    m: { type: 'object', additionalProperties: { type: 'integer', ...rules('self >= oldSelf', 'self < 5') } },
    x: { type: 'integer' },
  },
};

function check(oldSelf: Json | undefined, self: Json): readonly FieldError[] {
  return runAtOnce(new CelRuleChecker().check({ schema, self, oldSelf, path: 'spec' }));
}

interface Row {
  readonly title: string;
  readonly before: Json;
  readonly after: Json;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

// Observed from kube-apiserver 1.36.
const rows: readonly Row[] = [
  {
    title: 'ratchets a failure that an update did not touch to a warning',
    before: { s: 'bad' },
    after: { s: 'bad', x: 1 },
    warnings: ['spec.s: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'reports a failure that an update introduces',
    before: { s: 'b' },
    after: { s: 'bad' },
    errors: ['spec.s: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'evaluates transition rules with oldSelf',
    before: { s: 'b' },
    after: { s: 'a' },
    errors: ['spec.s: Invalid value: "a": failed rule: self.startsWith(oldSelf)'],
  },
  { title: 'skips transition rules without an old value', before: {}, after: { s: 'a' } },
  {
    title: 'passes an empty optional with optionalOldSelf',
    before: {},
    after: { s: 'bad2' },
    errors: ['spec.s: Invalid value: "bad2": created bad2'],
  },
  {
    title: 'passes the old value as an optional with optionalOldSelf',
    before: { s: 'bad2' },
    after: { s: 'bad2', x: 1 },
  },
  {
    title: 'reports the failure of an object when another field of it changes',
    before: { o: { a: 9 } },
    after: { o: { a: 9, b: 1 } },
    errors: ['spec.o: Invalid value: failed rule: self.a < 5'],
  },
  {
    title: 'checks an object after a field was removed',
    before: { o: { a: 1, b: 2 } },
    after: { o: { a: 1 } },
    errors: ['spec.o: Invalid value: failed rule: !has(oldSelf.b) || has(self.b)'],
  },
  {
    title: 'ratchets an untouched field of a changed object',
    before: { o: { a: 1, b: 200 } },
    after: { o: { a: 2, b: 200 } },
    warnings: ['spec.o.b: Invalid value: 200: failed rule: self < 100'],
  },
  {
    title: 'correlates list items by their keys',
    before: {
      am: [
        { k: 'a', v: 3 },
        { k: 'b', v: 3 },
      ],
    },
    after: {
      am: [
        { k: 'b', v: 2 },
        { k: 'a', v: 4 },
      ],
    },
    errors: ['spec.am[0].v: Invalid value: 2: failed rule: self >= oldSelf'],
  },
  { title: 'compares sets in any order', before: { as: ['a', 'b'] }, after: { as: ['b', 'a'] } },
  {
    title: 'ratchets the items of an untouched list',
    before: { al: ['bad'] },
    after: { al: ['bad'], x: 1 },
    warnings: ['spec.al[0]: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'does not correlate items of a list without keys',
    before: { al: ['bad'] },
    after: { al: ['bad', 'q'] },
    errors: ['spec.al[0]: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'correlates map entries by key',
    before: { m: { a: 3 } },
    after: { m: { a: 2 } },
    errors: ['spec.m[a]: Invalid value: 2: failed rule: self >= oldSelf'],
  },
];

describe('rules on update', () => {
  test.each(rows)('$title', ({ before, after, errors = [], warnings = [] }) => {
    const found = check(before, after);
    expect(found.filter(({ ratcheted }) => !ratcheted).map(fieldErrorText)).toEqual(errors);
    expect(found.filter(({ ratcheted }) => ratcheted).map(fieldErrorText)).toEqual(warnings);
  });

  test('does not ratchet a rule that cannot be evaluated', () => {
    const before = { o: {} };
    expect(check(before, { ...before, x: 1 }).map(fieldErrorText)).toContain(
      'spec.o: Invalid value: "object": no such key: a evaluating rule: self.a < 5',
    );
  });

  test('skips transition rules on create', () => {
    expect(check(undefined, { s: 'a', o: { a: 1 }, as: ['x'] })).toEqual([]);
  });
});

describe('the root of a resource', () => {
  const root: JsonSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    ...rules("self.metadata.name != 'x'", "self.kind == 'Thing'", "self.apiVersion == 'fz.test/v1'"),
  };

  test('exposes apiVersion, kind and name to rules', () => {
    const self = { apiVersion: 'fz.test/v1', kind: 'Thing', metadata: { name: 'x' }, spec: {} };
    expect(
      runAtOnce(new CelRuleChecker().check({ schema: root, self, path: '' })).map(fieldErrorText),
    ).toEqual(["<nil>: Invalid value: failed rule: self.metadata.name != 'x'"]);
  });
});

test('treats objects as equal whatever the order and type of their fields', () => {
  const immutable: JsonSchema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'integer' },
      c: { type: 'array', items: { type: 'string' } },
    },
    ...rules('self == oldSelf'),
  };
  const checker = new CelRuleChecker();
  const same = {
    schema: immutable,
    self: { a: 'x', b: 1, c: ['q'] },
    oldSelf: { c: ['q'], b: 1, a: 'x' },
    path: 's',
  };
  expect(runAtOnce(checker.check(same))).toEqual([]);
  expect(runAtOnce(checker.check({ ...same, oldSelf: { b: 1 } })).map(fieldErrorText)).toEqual([
    's: Invalid value: failed rule: self == oldSelf',
  ]);
});

test('rejects the object with a compile error when a rule is not valid CEL', () => {
  const schema: JsonSchema = { type: 'string', ...rules('self ==') };
  const [error] = runAtOnce(new CelRuleChecker().check({ schema, self: 'a', path: 's' }));
  expect(error?.detail).toMatch(/^rule compile error: /);
});
