import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { type CustomKind, specSchema, withKind } from '../custom-kind.ts';
import { eventually } from '../patience.ts';

const number = { type: 'integer' };

/** A kind whose spec has two numbers and the given validation rules. */
function withRules(
  api: ConformanceApi,
  rules: readonly JsonObject[],
  use: (kind: CustomKind) => Promise<void>,
): Promise<void> {
  const schema = specSchema({ low: number, high: number }, { 'x-kubernetes-validations': rules });
  return withKind(api, { schema }, use);
}

export const customRuleCases = area('custom resources', {
  'a violated rule rejects the object with its message': async (api) => {
    await withRules(
      api,
      [{ rule: 'self.low <= self.high', message: 'low must not be high' }],
      async (kind) => {
        (await kind.create('a', { spec: { low: 1, high: 2 } })).expect(201);
        const reply = (await kind.create('b', { spec: { low: 3, high: 2 } })).expectInvalid('spec');
        assert.equal(reply.at('details.causes.0.reason'), 'FieldValueInvalid');
        assert.match(String(reply.at('details.causes.0.message')), /low must not be high$/);
      },
    );
  },
  'a violated rule without a message is quoted': async (api) => {
    await withRules(api, [{ rule: 'self.low <= self.high' }], async (kind) => {
      const reply = (await kind.create('b', { spec: { low: 3, high: 2 } })).expectInvalid('spec');
      assert.match(String(reply.at('details.causes.0.message')), /failed rule: self.low <= self.high$/);
    });
  },
  'a rule may compute its message': async (api) => {
    const messageExpression = 'self.low > 2 ? "far too low" : "too low"';
    await withRules(api, [{ rule: 'self.low <= self.high', messageExpression }], async (kind) => {
      const reply = (await kind.create('b', { spec: { low: 3, high: 2 } })).expectInvalid('spec');
      assert.match(String(reply.at('details.causes.0.message')), /far too low$/);
    });
  },
  'a rule may set reason and field path of its error': async (api) => {
    const rule = {
      rule: 'self.low <= self.high',
      message: 'no',
      reason: 'FieldValueForbidden',
      fieldPath: '.low',
    };
    await withRules(api, [rule], async (kind) => {
      const reply = (await kind.create('b', { spec: { low: 3, high: 2 } })).expectInvalid('spec.low');
      assert.equal(reply.at('details.causes.0.reason'), 'FieldValueForbidden');
    });
  },
  'a transition rule applies to updates only': async (api) => {
    await withRules(api, [{ rule: 'self.low >= oldSelf.low', message: 'low only grows' }], async (kind) => {
      (await kind.create('a', { spec: { low: 3 } })).expect(201);
      (await api.patch('merge', `${kind.path()}/a`, { spec: { low: 4 } })).expect(200);
      (await api.patch('merge', `${kind.path()}/a`, { spec: { low: 2 } })).expectInvalid('spec');
    });
  },
  'a transition rule with optionalOldSelf applies to creation too': async (api) => {
    const schema = specSchema({
      low: number,
      pair: {
        type: 'object',
        properties: { low: number },
        'x-kubernetes-validations': [
          { rule: 'oldSelf.hasValue() || self.low >= 10', optionalOldSelf: true, message: 'no' },
        ],
      },
    });
    await withKind(api, { schema }, async (kind) => {
      (await kind.create('a', { spec: { pair: { low: 3 } } })).expectInvalid('spec.pair');
      (await kind.create('a', { spec: { pair: { low: 12 } } })).expect(201);
      (await api.patch('merge', `${kind.path()}/a`, { spec: { pair: { low: 1 } } })).expect(200);
    });
  },
  'a transition rule in a map list matches items by key': async (api) => {
    const items = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 9 }, size: number },
      'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'size only grows' }],
    };
    const parts = {
      type: 'array',
      maxItems: 9,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items,
    };
    await withKind(api, { schema: specSchema({ parts }) }, async (kind) => {
      const spec = {
        parts: [
          { name: 'x', size: 1 },
          { name: 'y', size: 5 },
        ],
      };
      (await kind.create('a', { spec })).expect(201);
      const moved = [
        { name: 'y', size: 5 },
        { name: 'x', size: 1 },
      ];
      (await api.patch('merge', `${kind.path()}/a`, { spec: { parts: moved } })).expect(200);
      const shrunk = [{ name: 'y', size: 4 }];
      (await api.patch('merge', `${kind.path()}/a`, { spec: { parts: shrunk } })).expectInvalid(
        'spec.parts[0]',
      );
    });
  },
  'a rule on the root can read the name': async (api) => {
    const schema = {
      ...specSchema({ low: number }),
      'x-kubernetes-validations': [
        { rule: 'self.metadata.name.startsWith("a")', message: 'must begin with a' },
      ],
    };
    await withKind(api, { schema }, async (kind) => {
      (await kind.create('abc')).expect(201);
      (await kind.create('xyz')).expectFailure(422, 'Invalid');
    });
  },
  'rules can use quantity and string functions': async (api) => {
    const schema = specSchema({
      memory: {
        type: 'string',
        maxLength: 20,
        'x-kubernetes-validations': [
          { rule: 'isQuantity(self) && quantity(self).isLessThan(quantity("2Gi"))', message: 'too much' },
        ],
      },
    });
    await withKind(api, { schema }, async (kind) => {
      (await kind.create('a', { spec: { memory: '1900Mi' } })).expect(201);
      (await kind.create('b', { spec: { memory: '3Gi' } })).expectInvalid('spec.memory');
    });
  },
  'a definition with a rule that does not compile is rejected': async (api) => {
    await assert.rejects(
      withRules(api, [{ rule: 'self.low <' }], async () => {}),
      /x-kubernetes-validations\[0\].rule/,
    );
  },
  'an unchanged value that violates a new schema is accepted': async (api) => {
    await withKind(api, { schema: specSchema({ low: number, high: number }) }, async (kind) => {
      (await kind.create('a', { spec: { low: 50, high: 1 } })).expect(201);
      const schema = specSchema({ low: { type: 'integer', maximum: 10 }, high: number });
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
      await kind.redefine({ spec: { versions } });
      await eventually(async () => (await kind.create('b', { spec: { low: 50 } })).expectInvalid('spec.low'));
      (await api.patch('merge', `${kind.path()}/a`, { spec: { high: 2 } })).expect(200);
      (await api.patch('merge', `${kind.path()}/a`, { spec: { low: 51 } })).expectInvalid('spec.low');
    });
  },
});
