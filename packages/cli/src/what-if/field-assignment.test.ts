import type { Json, JsonSchema } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { assigned, type UnknownField } from './field-assignment.ts';

const text: JsonSchema = { type: 'string' };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    weight: { type: 'integer' },
    isOn: { type: 'boolean' },
    after: text,
    limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
    budgets: { type: 'array', items: { type: 'object', properties: { nodes: text } } },
    values: { type: 'array', items: text },
  },
};

const before: Json = { weight: 1, limits: { cpu: '1' }, budgets: [{ nodes: '1' }, { nodes: '2' }] };

describe('setting a field', () => {
  it.each<[string, string, Json]>([
    ['weight', '5', { ...before, weight: 5 }],
    ['weight', 'five', { ...before, weight: 'five' }],
    ['weight', '', { ...before, weight: '' }],
    ['isOn', 'true', { ...before, isOn: true }],
    ['after', '10', { ...before, after: '10' }],
    ['limits.cpu', '100', { ...before, limits: { cpu: '100' } }],
    ['limits.nvidia.com/gpu', '4', { ...before, limits: { cpu: '1', 'nvidia.com/gpu': '4' } }],
    ['budgets[1].nodes', '9', { ...before, budgets: [{ nodes: '1' }, { nodes: '9' }] }],
    ['budgets[2].nodes', '9', { ...before, budgets: [{ nodes: '1' }, { nodes: '2' }, { nodes: '9' }] }],
    ['budgets', '[{nodes: "7"}]', { ...before, budgets: [{ nodes: '7' }] }],
    ['values[0]', 'a', { ...before, values: ['a'] }],
  ])('%s to %j has the type of the schema', (path, value, after) => {
    expect(assigned(before, schema, { path, text: value })).toEqual(after);
  });

  it('to null removes it, from lists too', () => {
    const removed = (path: string) => assigned(before, schema, { path, text: 'null' });
    expect(removed('limits')).toEqual({ weight: 1, budgets: [{ nodes: '1' }, { nodes: '2' }] });
    expect(removed('limits.cpu')).toEqual({ ...before, limits: {} });
    expect(removed('budgets[0]')).toEqual({ ...before, budgets: [{ nodes: '2' }] });
  });

  it.each([
    ['wieght', 'wieght'],
    ['weight.more', 'more'],
    ['budgets.nodes', 'nodes'],
    ['budgets[3].nodes', '[3]'],
    ['budgets[-1]', '[-1]'],
    ['toString', 'toString'],
    ['__proto__.x', '__proto__'],
  ])('%s fails with the part of the path that the schema does not have', (path, field) => {
    expect(() => assigned(before, schema, { path, text: '1' })).toThrow(
      expect.objectContaining({ field }) as UnknownField,
    );
  });
});
