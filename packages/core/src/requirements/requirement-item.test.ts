import { describe, expect, it } from 'vitest';
import { CodedError } from '../errors/index.ts';
import type { Requirement } from './requirement.ts';
import { type RequirementItem, requirementFromItem, requirementItems } from './requirement-item.ts';
import { Vocabulary } from './vocabulary.ts';

const max = '9223372036854775807';
const min = '-9223372036854775808';

function read(operator: string, values?: readonly string[], minValues?: number): Requirement {
  return requirementFromItem(new Vocabulary(), { key: 'k', operator, values, minValues });
}

function failure(item: RequirementItem): CodedError {
  try {
    requirementFromItem(new Vocabulary(), item, 'spec.requirements[2]');
  } catch (error) {
    if (error instanceof CodedError) return error;
  }
  throw new Error('the item was accepted');
}

describe('requirementFromItem', () => {
  it.each([
    ['In', ['b', 'a'], 'In', false, ['a', 'b']],
    ['In', [], 'DoesNotExist', false, []],
    ['NotIn', ['b', 'a'], 'NotIn', true, ['a', 'b']],
    ['NotIn', [], 'Exists', true, []],
    ['Exists', [], 'Exists', true, []],
    ['DoesNotExist', [], 'DoesNotExist', false, []],
  ])('reads %s %j as %s', (operator, values, reported, complement, listed) => {
    const requirement = read(operator, values);
    expect(requirement.operator).toBe(reported);
    expect(requirement.complement).toBe(complement);
    expect(requirement.values()).toEqual(listed);
    expect([requirement.gte, requirement.lte]).toEqual([undefined, undefined]);
  });

  it.each([
    ['Gt', '4', 5n, undefined],
    ['Lt', '4', undefined, 3n],
    ['Gte', '4', 4n, undefined],
    ['Lte', '4', undefined, 4n],
    ['Gt', '-1', 0n, undefined],
    ['Gte', max, 9_223_372_036_854_775_807n, undefined],
    ['Lt', '+05', undefined, 4n],
  ])('reads %s %s as bounds that report Exists', (operator, value, gte, lte) => {
    const requirement = read(operator, [value]);
    expect(requirement.operator).toBe('Exists');
    expect([requirement.gte, requirement.lte]).toEqual([gte, lte]);
  });

  it('reads a bound that no integer exceeds as DoesNotExist', () => {
    expect(read('Gt', [max]).operator).toBe('DoesNotExist');
    expect(read('Lt', [min]).operator).toBe('DoesNotExist');
  });

  it('keeps minValues with every operator', () => {
    for (const operator of ['In', 'NotIn', 'Exists', 'DoesNotExist']) {
      expect(read(operator, ['a'], 2).minValues).toBe(2);
    }
    for (const operator of ['Gt', 'Lt', 'Gte', 'Lte']) expect(read(operator, ['1'], 2).minValues).toBe(2);
    expect(read('Gt', [max], 2).minValues).toBe(2);
  });

  it('rejects an unknown operator with one sentence', () => {
    const error = failure({ key: 'team', operator: 'Is', values: ['a'] });
    expect(error.code).toBe('invalid-requirement');
    expect(error.message).toBe(
      'spec.requirements[2].operator: "Is" is not a requirement operator; ' +
        'write one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte',
    );
  });

  it.each([[['many']], [[]], [['1', '2']], [['1.5']], [['9223372036854775808']], [undefined]])(
    'rejects %j as a bound',
    (values) => {
      const error = failure({ key: 'cpu', operator: 'Gt', values });
      expect(error.code).toBe('invalid-requirement');
      expect(error.message).toBe(
        `spec.requirements[2].values: "${(values ?? []).join(', ')}" is not a bound for Gt on cpu; ` +
          'write exactly one integer of at most 64 bits, such as "4"',
      );
    },
  );
});

describe('requirementItems', () => {
  const both = (a: RequirementItem, b: RequirementItem) => {
    const vocabulary = new Vocabulary();
    return requirementItems(requirementFromItem(vocabulary, a).and(requirementFromItem(vocabulary, b)));
  };

  it('writes each operator with sorted values and nothing else', () => {
    expect(requirementItems(read('In', ['b', 'a']))).toEqual([
      { key: 'k', operator: 'In', values: ['a', 'b'] },
    ]);
    expect(requirementItems(read('NotIn', ['b', 'a'], 3))).toEqual([
      { key: 'k', operator: 'NotIn', values: ['a', 'b'], minValues: 3 },
    ]);
    expect(requirementItems(read('Exists'))).toEqual([{ key: 'k', operator: 'Exists' }]);
    expect(requirementItems(read('DoesNotExist'))).toEqual([{ key: 'k', operator: 'DoesNotExist' }]);
  });

  it('writes Gt and Lt as Gte and Lte', () => {
    expect(requirementItems(read('Gt', ['4']))).toEqual([{ key: 'k', operator: 'Gte', values: ['5'] }]);
    expect(requirementItems(read('Lt', ['4']))).toEqual([{ key: 'k', operator: 'Lte', values: ['3'] }]);
  });

  it('writes both bounds as two items, each with minValues', () => {
    const written = both(
      { key: 'k', operator: 'Gt', values: ['1'], minValues: 2 },
      { key: 'k', operator: 'Lte', values: ['9'] },
    );
    expect(written).toEqual([
      { key: 'k', operator: 'Gte', values: ['2'], minValues: 2 },
      { key: 'k', operator: 'Lte', values: ['9'], minValues: 2 },
    ]);
  });

  it('loses excluded values beside a bound', () => {
    const written = both(
      { key: 'k', operator: 'NotIn', values: ['5'] },
      { key: 'k', operator: 'Gte', values: ['3'] },
    );
    expect(written).toEqual([{ key: 'k', operator: 'Gte', values: ['3'] }]);
  });
});
