import { describe, expect, test } from 'vitest';
import { readRule } from './rule-source.ts';

const renamed = new Map([['int', 'k8s_int']]);

describe('readRule', () => {
  test.each([
    ['int(self) > 1', 'k8s_int(self) > 1'],
    ["self == 'int(x)'", "self == 'int(x)'"],
    ['self == "a\\"int(" && int (self) > 1', 'self == "a\\"int(" && k8s_int (self) > 1'],
    ["self.matches(r'\\') && int(self) > 1", "self.matches(r'\\') && k8s_int(self) > 1"],
    ['self == """int("x")""" || int(self) > 1', 'self == """int("x")""" || k8s_int(self) > 1'],
    ['self.int > 1 && type(self) == int', 'self.int > 1 && type(self) == int'],
    ['print(self)', 'print(self)'],
  ])('renames calls outside of strings only: %s', (rule, expression) => {
    expect(readRule(rule, renamed).expression).toBe(expression);
  });

  test.each([
    ['has(self.a.b)', 'has(self.a.b)'],
    ['has(self.a[0].b)', '(self.a[0].?b.hasValue())'],
    ["has(self.a[')'].b) && has(self.c)", "(self.a[')'].?b.hasValue()) && has(self.c)"],
    ['has(self.filter(x, has(x.y[0].z))[0].w)', '(self.filter(x, (x.y[0].?z.hasValue()))[0].?w.hasValue())'],
  ])('rewrites has() on any expression: %s', (rule, expression) => {
    expect(readRule(rule, renamed).expression).toBe(expression);
  });

  test.each([
    ['self == oldSelf', true],
    ["self != 'oldSelf'", false],
    ['self.oldSelfish', false],
  ])('detects whether %s reads oldSelf', (rule, usesOldSelf) => {
    expect(readRule(rule, renamed).usesOldSelf).toBe(usesOldSelf);
  });

  // With an expression that backtracks each of these takes a minute.
  test.each(['\\"', "\\'", 'r"""a', "'''a", 'r"a\\'])(
    'leaves a literal without an end alone: %s…',
    (part) => {
      const rule = `${part.repeat(90_000 / part.length)}\\`;
      expect(readRule(rule, renamed).expression).toBe(rule);
    },
  );
});
