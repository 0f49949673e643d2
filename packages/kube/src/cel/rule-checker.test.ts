import { fieldErrorText, type Json, type JsonSchema } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { expect, test } from 'vitest';
import { CelRuleChecker } from './rule-checker.ts';

interface Row {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly errors: readonly string[];
}

// Observed from kube-apiserver 1.36: the schema stood at spec.x of a CustomResourceDefinition.
const rows: readonly Row[] = [
  {
    title: 'includes a scalar value and the message',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self != 'bad'", message: 'no bad' }],
    },
    value: 'bad',
    errors: ['spec.x: Invalid value: "bad": no bad'],
  },
  {
    title: 'includes the rule if there is no message',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] },
    value: 'bad',
    errors: ['spec.x: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'omits an object value',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a != 'bad'" }],
    },
    value: { a: 'bad' },
    errors: ["spec.x: Invalid value: failed rule: self.a != 'bad'"],
  },
  {
    title: 'omits a list value',
    schema: {
      type: 'array',
      maxItems: 9,
      items: { type: 'string', maxLength: 20 },
      'x-kubernetes-validations': [{ rule: "self[0] != 'bad'" }],
    },
    value: ['bad'],
    errors: ["spec.x: Invalid value: failed rule: self[0] != 'bad'"],
  },
  {
    title: 'reports an absent field',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a == 'x'", message: 'boo' }],
    },
    value: {},
    errors: ['spec.x: Invalid value: "object": no such key: a evaluating rule: boo'],
  },
  {
    title: 'reports an index beyond the list',
    schema: {
      type: 'array',
      maxItems: 9,
      items: { type: 'string', maxLength: 20 },
      'x-kubernetes-validations': [{ rule: "self[3] == 'a'" }],
    },
    value: [],
    errors: ['spec.x: Invalid value: "array": index out of bounds: 3 evaluating rule: self[3] == \'a\''],
  },
  {
    title: 'reports an absent map key',
    schema: {
      type: 'object',
      maxProperties: 9,
      additionalProperties: { type: 'string', maxLength: 20 },
      'x-kubernetes-validations': [{ rule: "self['k'] == 'a'" }],
    },
    value: {},
    errors: ["spec.x: Invalid value: \"object\": no such key: k evaluating rule: self['k'] == 'a'"],
  },
  {
    title: 'reports a string that is no integer',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'int(self) > 5' }] },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'int' evaluating rule: int(self) > 5",
    ],
  },
  {
    title: 'does not read an empty string as zero',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'int(self) >= 0' }] },
    value: '',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'int' evaluating rule: int(self) >= 0",
    ],
  },
  {
    title: 'reads a sign in front of an integer',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'int(self) > 5' }] },
    value: '+6',
    errors: [],
  },
  {
    title: 'reports division by zero',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: '10 / self > 1' }] },
    value: 0,
    errors: ['spec.x: Invalid value: "integer": division by zero evaluating rule: 10 / self > 1'],
  },
  {
    title: 'reports a remainder by zero',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: '10 % self > 1' }] },
    value: 0,
    errors: ['spec.x: Invalid value: "integer": modulus by zero evaluating rule: 10 % self > 1'],
  },
  {
    title: 'reports overflow',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 9223372036854775807 > 1' }] },
    value: 5,
    errors: [
      'spec.x: Invalid value: "integer": integer overflow evaluating rule: self + 9223372036854775807 > 1',
    ],
  },
  {
    title: 'reports a string that is no number',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'double(self) > 1.0' }] },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'double' evaluating rule: double(self) > 1.0",
    ],
  },
  {
    title: 'reports a string that is no time',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "timestamp(self) > timestamp('2020-01-01T00:00:00Z')" }],
    },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'google.protobuf.Timestamp' evaluating rule: timestamp(self) > timestamp('2020-01-01T00:00:00Z')",
    ],
  },
  {
    title: 'reports a string that is no duration',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "duration(self) > duration('1s')" }],
    },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'google.protobuf.Duration' evaluating rule: duration(self) > duration('1s')",
    ],
  },
  {
    title: 'reports a string that is no boolean',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'bool(self)' }] },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": type conversion error from 'string' to 'bool' evaluating rule: bool(self)",
    ],
  },
  {
    title: 'reports a position beyond the string',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.substring(3) == 'a'" }],
    },
    value: 'a',
    errors: [
      'spec.x: Invalid value: "string": index out of range: 3 evaluating rule: self.substring(3) == \'a\'',
    ],
  },
  {
    title: 'reports min() of an empty list',
    schema: {
      type: 'array',
      maxItems: 9,
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.min() > 1' }],
    },
    value: [],
    errors: ['spec.x: Invalid value: "array": min called on empty list evaluating rule: self.min() > 1'],
  },
  {
    title: 'reports an operator without an overload for the value',
    schema: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
    value: 'x',
    errors: [
      'spec.x: Invalid value: "": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self > 5',
    ],
  },
  {
    title: 'puts the index of a list item in the path',
    schema: {
      type: 'array',
      maxItems: 9,
      items: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] },
    },
    value: ['x', 'bad'],
    errors: ['spec.x[1]: Invalid value: "bad": failed rule: self != \'bad\''],
  },
  {
    title: 'puts map keys in brackets',
    schema: {
      type: 'object',
      maxProperties: 9,
      additionalProperties: {
        type: 'object',
        properties: { z: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.z < 5' }],
      },
    },
    value: { 'a.b/c': { z: 9 } },
    errors: ['spec.x[a.b/c]: Invalid value: failed rule: self.z < 5'],
  },
  {
    title: 'checks an object before its fields',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 5' }] } },
      'x-kubernetes-validations': [{ rule: 'self.a < 3' }],
    },
    value: { a: 9 },
    errors: [
      'spec.x: Invalid value: failed rule: self.a < 3',
      'spec.x.a: Invalid value: 9: failed rule: self < 5',
    ],
  },
  {
    title: 'evaluates messageExpression',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a != 'bad'", messageExpression: '"got " + self.a' }],
    },
    value: { a: 'bad' },
    errors: ['spec.x: Invalid value: got bad'],
  },
  {
    title: 'falls back to the message if messageExpression fails',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 }, b: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [
        { rule: "self.a != 'bad'", messageExpression: '"got " + self.b', message: 'fallback' },
      ],
    },
    value: { a: 'bad' },
    errors: ['spec.x: Invalid value: fallback'],
  },
  {
    title: 'falls back to the message if messageExpression is empty',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a != 'bad'", messageExpression: '""', message: 'fallback' }],
    },
    value: { a: 'bad' },
    errors: ['spec.x: Invalid value: fallback'],
  },
  {
    title: 'falls back to the message if messageExpression has line breaks',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.a != 'bad'", messageExpression: '"a\\nb"' }],
    },
    value: { a: 'bad' },
    errors: ["spec.x: Invalid value: failed rule: self.a != 'bad'"],
  },
  {
    title: 'uses fieldPath and reason of the rule',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [
        { rule: "self.a != 'bad'", message: 'm', fieldPath: '.a', reason: 'FieldValueForbidden' },
      ],
    },
    value: { a: 'bad' },
    errors: ['spec.x.a: Forbidden: m'],
  },
  {
    title: 'reads a quoted name in a field path',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 }, 'x-y': { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [
        { rule: "self.a != 'bad'", message: 'm', fieldPath: "['x-y']", reason: 'FieldValueRequired' },
      ],
    },
    value: { a: 'bad' },
    errors: ['spec.x.x-y: Required value: m'],
  },
  {
    title: 'reports a duplicate without its message',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self != 'bad'", message: 'm', reason: 'FieldValueDuplicate' }],
    },
    value: 'bad',
    errors: ['spec.x: Duplicate value: "bad"'],
  },
  {
    title: 'converts an integer to int',
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self / 2 == 2' }] },
    value: 5,
    errors: [],
  },
  {
    title: 'converts a whole number to double if the schema has type number',
    schema: { type: 'number', 'x-kubernetes-validations': [{ rule: 'self / 2.0 == 2.5' }] },
    value: 5,
    errors: [],
  },
  {
    title: 'converts both kinds of int-or-string',
    schema: {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [{ rule: "type(self) == int ? self < 5 : self != 'bad'" }],
    },
    value: 5,
    errors: ["spec.x: Invalid value: 5: failed rule: type(self) == int ? self < 5 : self != 'bad'"],
  },
  {
    title: 'converts a date-time to a timestamp',
    schema: {
      type: 'string',
      format: 'date-time',
      'x-kubernetes-validations': [{ rule: "self > timestamp('2020-01-01T00:00:00Z')" }],
    },
    value: '2019-01-01T00:00:00Z',
    errors: [
      'spec.x: Invalid value: "2019-01-01T00:00:00Z": failed rule: self > timestamp(\'2020-01-01T00:00:00Z\')',
    ],
  },
  {
    title: 'converts a duration',
    schema: {
      type: 'string',
      format: 'duration',
      'x-kubernetes-validations': [{ rule: "self > duration('1s')" }],
    },
    value: '1ms',
    errors: ['spec.x: Invalid value: "1ms": failed rule: self > duration(\'1s\')'],
  },
  {
    title: 'converts bytes',
    schema: { type: 'string', format: 'byte', 'x-kubernetes-validations': [{ rule: 'self.size() > 2' }] },
    value: 'YQ==',
    errors: ['spec.x: Invalid value: "YQ==": failed rule: self.size() > 2'],
  },
  {
    title: 'treats null as an absent field',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20, nullable: true } },
      'x-kubernetes-validations': [{ rule: 'has(self.a)' }],
    },
    value: { a: null },
    errors: ['spec.x: Invalid value: failed rule: has(self.a)'],
  },
  {
    title: 'does not check null itself',
    schema: {
      type: 'string',
      maxLength: 20,
      nullable: true,
      'x-kubernetes-validations': [{ rule: "self != 'bad'" }],
    },
    value: null,
    errors: [],
  },
  {
    title: 'escapes names that CEL cannot read',
    schema: {
      type: 'object',
      properties: {
        'a-b': { type: 'string', maxLength: 20 },
        'a.b': { type: 'string', maxLength: 20 },
        in: { type: 'string', maxLength: 20 },
        'a/b': { type: 'string', maxLength: 20 },
        namespace: { type: 'string', maxLength: 20 },
        a__b: { type: 'string', maxLength: 20 },
      },
      'x-kubernetes-validations': [
        {
          rule: 'has(self.a__dash__b) && has(self.a__dot__b) && has(self.__in__) && has(self.a__slash__b) && has(self.__namespace__) && has(self.a__underscores__b)',
        },
      ],
    },
    value: { 'a-b': '', 'a.b': '', in: '', 'a/b': '', namespace: '', a__b: '' },
    errors: [],
  },
  {
    title: 'compares quantities',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "quantity(self).isGreaterThan(quantity('1Gi'))" }],
    },
    value: '1G',
    errors: ['spec.x: Invalid value: "1G": failed rule: quantity(self).isGreaterThan(quantity(\'1Gi\'))'],
  },
  {
    title: 'reports a string that is no quantity',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "quantity(self).compareTo(quantity('1')) == 0" }],
    },
    value: 'x',
    errors: [
      "spec.x: Invalid value: \"string\": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$' evaluating rule: quantity(self).compareTo(quantity('1')) == 0",
    ],
  },
  {
    title: 'adds quantities',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "quantity(self).add(quantity('500m')) == quantity('1500m')" }],
    },
    value: '1',
    errors: [],
  },
  {
    title: 'supports isQuantity',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'isQuantity(self)' }] },
    value: '1x',
    errors: ['spec.x: Invalid value: "1x": failed rule: isQuantity(self)'],
  },
  {
    title: 'supports isInteger and asInteger of quantities',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [
        { rule: 'quantity(self).isInteger() && quantity(self).asInteger() == 2000' },
      ],
    },
    value: '2k',
    errors: [],
  },
  {
    title: 'finds by regular expression',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.find('[0-9]+') == '12'" }],
    },
    value: 'ab12cd3',
    errors: [],
  },
  {
    title: 'finds all by regular expression',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.findAll('[0-9]+').size() == 2" }],
    },
    value: 'ab12cd3',
    errors: [],
  },
  {
    title: 'matches anywhere in the string',
    schema: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: "self.matches('b+')" }] },
    value: 'abc',
    errors: [],
  },
  {
    title: 'splits',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.split('-')[1] == 'b'" }],
    },
    value: 'a-b',
    errors: [],
  },
  {
    title: 'lowers ASCII letters only',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.lowerAscii() == 'aÉ'" }],
    },
    value: 'AÉ',
    errors: [],
  },
  {
    title: 'counts characters in positions',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: "self.indexOf('b') == 1 && self.charAt(1) == 'b'" }],
    },
    value: '💩b',
    errors: [],
  },
  {
    title: 'sums, orders and finds in lists',
    schema: {
      type: 'array',
      maxItems: 9,
      items: { type: 'integer' },
      'x-kubernetes-validations': [
        { rule: 'self.sum() == 6 && self.isSorted() && self.max() == 3 && self.indexOf(2) == 1' },
      ],
    },
    value: [1, 2, 3],
    errors: [],
  },
  {
    title: 'reads optional fields',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 20 } },
      'x-kubernetes-validations': [{ rule: "self.?a.orValue('q') == 'q'" }],
    },
    value: {},
    errors: [],
  },
  {
    title: 'keeps a name in a string literal as it is',
    schema: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: 'self == \'int(x)\' && self.matches("^int")' }],
    },
    value: 'int(x)',
    errors: [],
  },
];

test.each(rows)('$title', ({ schema, value, errors }) => {
  const found = runAtOnce(new CelRuleChecker().check({ schema, self: value, path: 'spec.x' }));
  expect(found.map(fieldErrorText)).toEqual(errors);
});
