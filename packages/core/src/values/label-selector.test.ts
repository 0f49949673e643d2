import { describe, expect, it } from 'vitest';
import { compileLabelSelector, type LabelSelector } from './label-selector.ts';

const selects = (selector: LabelSelector | undefined, labels: Record<string, string>): boolean =>
  compileLabelSelector(selector)(labels);
const expression = (operator: string, values?: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key: 'app', operator, ...(values && { values }) }],
});

describe('compileLabelSelector', () => {
  it('selects nothing without a selector and everything with an empty one', () => {
    expect(selects(undefined, { app: 'web' })).toBe(false);
    expect(selects({}, {})).toBe(true);
    expect(selects({ matchLabels: {}, matchExpressions: [] }, { app: 'web' })).toBe(true);
  });

  it.each([
    [expression('In', ['web', 'api']), true, false, false],
    [expression('NotIn', ['web', 'api']), false, true, true],
    [expression('Exists'), true, true, false],
    [expression('DoesNotExist'), false, false, true],
    [{ matchLabels: { app: 'web' } }, true, false, false],
    [{ matchLabels: { app: 'web' }, ...expression('NotIn', ['web']) }, false, false, false],
  ])('applies %j', (selector, web, database, unlabelled) => {
    expect(selects(selector, { app: 'web' })).toBe(web);
    expect(selects(selector, { app: 'db' })).toBe(database);
    expect(selects(selector, { tier: 'x' })).toBe(unlabelled);
  });

  it('distinguishes an empty value from a missing label', () => {
    expect(selects(expression('In', ['']), { app: '' })).toBe(true);
    expect(selects(expression('In', ['']), {})).toBe(false);
  });

  it('ignores inherited object members', () => {
    expect(selects({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {})).toBe(false);
  });

  it.each<[LabelSelector, string]>([
    [
      expression('Gt', ['1']),
      'matchExpressions[0].operator: "Gt" is not a label selector operator; use In, NotIn',
    ],
    [
      expression('In'),
      'matchExpressions[0].values: "[]" is not a set of label values; give at least one value',
    ],
    [expression('NotIn', []), 'matchExpressions[0].values: "[]" is not a set of label values; give at least'],
    [
      expression('Exists', ['x']),
      'matchExpressions[0].values: "[\\"x\\"]" is not empty; leave it out for operator Exists',
    ],
    [
      expression('In', ['ok', '-']),
      'matchExpressions[0].values[1]: "-" is not a label value; a valid label must be',
    ],
    [
      { matchExpressions: [{ key: 'a/b/c', operator: 'Exists' }] },
      'matchExpressions[0].key: "a/b/c" is not a label key',
    ],
    [{ matchLabels: { '-': 'x' } }, 'matchLabels: "-" is not a label key; name part must consist of'],
    [{ matchLabels: { app: 'a b' } }, 'matchLabels[app]: "a b" is not a label value'],
  ])('rejects %j', (selector, message) => {
    expect(() => compileLabelSelector(selector, 'spec.selector')).toThrow(`spec.selector.${message}`);
  });
});
