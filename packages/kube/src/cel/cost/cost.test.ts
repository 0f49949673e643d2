import type { JsonSchema } from '@karpenter/core/schema';
import { fieldErrorText } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { compileCondition, compileRule } from '../compiled-rule.ts';
import { CelRuleChecker } from '../rule-checker.ts';
import { callLimit } from './cost-meter.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index));
const cost = (rule: string, self: unknown) => compileRule(rule).evaluate({ self }, callLimit).cost;

describe('the cost of an evaluation', () => {
  it('grows with the iterations of a loop', () => {
    const one = cost('self.all(x, x >= 0)', numbers(1));
    const many = cost('self.all(x, x >= 0)', numbers(1001));
    expect(many - one).toBe(5000);
  });

  it.each([
    ['self.size() > 0', 'x'.repeat(1000), 3],
    ["self == 'a'", 'x'.repeat(1000), 2],
    ["self.matches('^[abcdefghijklmnopqrstuvwxyz0123456789-]$')", 'x'.repeat(999), 1 + 100 * 11],
    ["self.matches('^(a+)+$')", 'x'.repeat(999), 1 + 1_799],
    ["self.matches('^[ab]*a[ab]{900}$')", 'a'.repeat(900), 1 + (900 * 907) / 5],
    ['self.contains(self)', 'x'.repeat(100), 2 + 10 * 10],
    ['[1, 2].size() > 0', '', 12],
  ])('counts what a function reads: %s', (rule, self, expected) => {
    expect(cost(rule, self)).toBe(expected);
  });

  it.each([
    ['three nested loops', 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))', numbers(200)],
    [
      'loops whose errors are swallowed',
      'self.all(a, self.all(b, self.all(c, c >= 0))) || true',
      numbers(200),
    ],
    ['lists that double', doubling('self + self'), numbers(1000)],
    ['texts that double', doubling('self + self'), 'x'.repeat(1000)],
    ['lists built in a loop', 'self.map(a, self + self).size() > 0', numbers(2000)],
    ['comparisons of long lists', 'self.all(a, self == self.map(x, x))', numbers(1000)],
    ['a long text in a long text', 'self.contains(self)', 'a'.repeat(100_000)],
    ['a replacement of nothing by a long text', "self.replace('', self).size() > 0", 'a'.repeat(100_000)],
  ])('stops at the limit: %s', (_, rule, self) => {
    expect(() => cost(rule, self)).toThrow('operation cancelled: actual cost limit exceeded');
  });

  it('is limited for the conditions of webhooks', () => {
    const condition = compileCondition('object.all(a, object.all(b, object.all(c, a + b + c >= 0)))');
    expect(() => condition({ object: numbers(200) })).toThrow('cost limit exceeded');
  });
});

function doubling(start: string): string {
  return Array.from({ length: 30 }, (_, index) => index).reduceRight(
    (body, index) => `cel.bind(v${index}, ${index === 0 ? start : `v${index - 1} + v${index - 1}`}, ${body})`,
    'v29.size() > 0',
  );
}

describe('the rules of a request', () => {
  const list = (rules: readonly string[]): JsonSchema => ({
    type: 'array',
    items: { type: 'integer' },
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
  });
  const check = (schema: JsonSchema, count: number) =>
    runAtOnce(
      new CelRuleChecker().check({ schema, self: Array.from({ length: count }, () => 1), path: 'spec.x' }),
    ).map(fieldErrorText);

  it('end with the first that exceeds the limit of one rule', () => {
    expect(check(list(['self.all(x, x > 0)', 'self.size() < 0']), 300_000)).toEqual([
      'spec.x: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation ' +
        'rules will be run due to call cost exceeds limit for rule: self.all(x, x > 0)',
    ]);
  });

  it('end when all together exceed the limit of a request', () => {
    const rules = Array.from({ length: 14 }, (_, index) => `self.all(x, x < ${index + 2})`);
    expect(check(list(rules), 180_000)).toEqual([
      'spec.x: Invalid value: "array": validation failed due to running out of cost budget, no further validation ' +
        'rules will be run',
    ]);
  });
});
