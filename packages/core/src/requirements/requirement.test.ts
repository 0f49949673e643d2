import { describe, expect, it } from 'vitest';
import { representative } from './representative.ts';
import { Requirement } from './requirement.ts';
import { type RequirementItem, requirementFromItem } from './requirement-item.ts';
import { requirementText } from './requirement-text.ts';
import { Vocabulary } from './vocabulary.ts';

const key = new Vocabulary().key('k');
const vocabulary = new Vocabulary();
const read = (operator: string, values: readonly string[] = [], minValues?: number) =>
  requirementFromItem(vocabulary, { key: 'k', operator, values, minValues } satisfies RequirementItem);
const [gte3, lte2, lte9] = [read('Gte', ['3']), read('Lte', ['2']), read('Lte', ['9'])];

describe('Requirement.has', () => {
  it('checks membership, or its absence in a complement', () => {
    expect(read('In', ['a']).has('a')).toBe(true);
    expect(read('In', ['a']).has('b')).toBe(false);
    expect(read('NotIn', ['a']).has('a')).toBe(false);
    expect(read('NotIn', ['a']).has('b')).toBe(true);
    expect(read('Exists').has('anything')).toBe(true);
    expect(read('DoesNotExist').has('anything')).toBe(false);
  });

  it('never matches a value that is not an integer against a bound', () => {
    expect(gte3.has('three')).toBe(false);
    expect(gte3.has('')).toBe(false);
    expect(gte3.has('3.5')).toBe(false);
    expect(gte3.has('03')).toBe(true);
    expect(gte3.has('2')).toBe(false);
  });

  it('compares beyond the precision of doubles', () => {
    const bound = read('Gt', ['9007199254740993']);
    const values = ['9007199254740993', '9007199254740994', '9007199254740992'];
    expect(values.map((value) => bound.has(value))).toEqual([false, true, false]);
    for (const value of values) bound.key.intern(value);
    expect(values.map((value) => bound.has(value))).toEqual([false, true, false]);
  });
});

describe('Requirement.and', () => {
  const text = (a: Requirement, b: Requirement) => requirementText(a.and(b));

  it('is a complement only if both are', () => {
    expect(text(read('NotIn', ['a']), read('NotIn', ['b']))).toBe('k NotIn [a b]');
    expect(text(read('NotIn', ['a']), read('In', ['a', 'b']))).toBe('k In [b]');
    expect(text(read('In', ['a', 'b']), read('In', ['b', 'c']))).toBe('k In [b]');
    expect(text(read('In', ['a']), read('In', ['b']))).toBe('k DoesNotExist');
    expect(text(read('Exists'), read('DoesNotExist'))).toBe('k DoesNotExist');
  });

  it('tightens bounds', () => {
    expect(text(gte3, lte9)).toBe('k Exists >=3 <=9');
    expect(text(gte3.and(lte9), read('Gt', ['4']))).toBe('k Exists >=5 <=9');
    expect(text(gte3.and(lte9), read('Lt', ['5']))).toBe('k Exists >=3 <=4');
  });

  it('keeps minValues when bounds cross and nothing is left', () => {
    expect(text(read('Gte', ['3'], 4), lte2)).toBe('k DoesNotExist minValues 4');
  });

  it('takes the larger minValues', () => {
    expect(read('In', ['a', 'b'], 1).and(read('In', ['a', 'b'], 2)).minValues).toBe(2);
    expect(read('In', ['a']).and(read('Exists', [], 2)).minValues).toBe(2);
  });

  it('drops listed values outside the bounds, excluded ones too', () => {
    expect(text(read('In', ['2', '3', 'x']), gte3)).toBe('k In [3]');
    expect(text(read('NotIn', ['2', '5', 'x']), gte3)).toBe('k NotIn [5] >=3');
  });

  it('has no bounds once it is a finite set', () => {
    const finite = gte3.and(read('In', ['5']));
    expect([finite.gte, finite.lte]).toEqual([undefined, undefined]);
  });

  it('returns the same object when nothing changes', () => {
    for (const requirement of [gte3, read('In', ['a', 'b']), read('NotIn', ['a'])]) {
      expect(requirement.and(read('Exists'))).toBe(requirement);
      expect(requirement.and(requirement)).toBe(requirement);
    }
  });
});

describe('Requirement.intersects', () => {
  const meeting: readonly (readonly [Requirement, Requirement])[] = [
    [read('NotIn', ['a']), read('NotIn', ['b'])],
    [read('NotIn', ['a']), read('Exists')],
    [gte3, lte9],
    [gte3.and(read('NotIn', ['3'])), read('Lte', ['3'])],
    [read('In', ['a', 'b']), read('NotIn', ['a'])],
    [read('In', ['1', '4']), gte3],
  ];
  const apart: readonly (readonly [Requirement, Requirement])[] = [
    [gte3, lte2],
    [read('In', ['a']), read('NotIn', ['a'])],
    [read('In', ['1', 'x']), gte3],
    [read('In', ['4']), gte3.and(read('NotIn', ['4']))],
    [read('DoesNotExist'), read('Exists')],
    [read('DoesNotExist'), read('DoesNotExist')],
  ];
  const named = (pairs: typeof meeting) =>
    pairs.map(([a, b]) => [requirementText(a), requirementText(b), a, b] as const);

  it.each(named(meeting))('finds a value for %s and %s', (_a, _b, a, b) => {
    expect(a.intersects(b)).toBe(true);
    expect(b.intersects(a)).toBe(true);
  });

  it.each(named(apart))('finds no value for %s and %s', (_a, _b, a, b) => {
    expect(a.intersects(b)).toBe(false);
    expect(b.intersects(a)).toBe(false);
  });
});

describe('requirementText', () => {
  it('shows five values in order and counts the others', () => {
    expect(requirementText(read('In', ['e', 'd', 'c', 'b', 'a']))).toBe('k In [a b c d e]');
    expect(requirementText(read('NotIn', ['g', 'f', 'e', 'd', 'c', 'b', 'a']))).toBe(
      'k NotIn [a b c d e and 2 others]',
    );
  });

  it('appends bounds and minValues', () => {
    expect(requirementText(read('Gt', ['1'], 3).and(lte9))).toBe('k Exists >=2 <=9 minValues 3');
    expect(requirementText(read('Lt', ['1']))).toBe('k Exists <=0');
  });
});

describe('representative', () => {
  const cases: readonly (readonly [Requirement, string])[] = [
    [read('In', ['b', 'a']), 'a'],
    [read('In', ['', 'a']), 'a'],
    [read('In', ['']), ''],
    [read('DoesNotExist'), ''],
    [read('Exists'), '0'],
    [read('NotIn', ['0', '1', 'x']), '2'],
    [read('Gt', ['7']), '8'],
    [gte3.and(read('NotIn', ['3', '4'])), '5'],
    [read('Lt', ['5']), '0'],
    [read('Lt', ['-5']), '-6'],
    [read('Lt', ['-5']).and(read('NotIn', ['-6'])), '-7'],
    [read('Gte', ['-9']).and(lte2), '-9'],
    [gte3.and(read('Lte', ['3'])).and(read('NotIn', ['3'])), ''],
  ];

  it.each(
    cases.map(([requirement, expected]) => [requirementText(requirement), expected, requirement] as const),
  )('of %s is "%s"', (_text, expected, requirement) => {
    expect(representative(requirement)).toBe(expected);
  });
});

describe('Requirement', () => {
  it('counts a finite set and treats a complement as infinite', () => {
    expect(read('In', ['a', 'b', 'a']).cardinality).toBe(2);
    expect(read('DoesNotExist').cardinality).toBe(0);
    expect(gte3.and(lte9).cardinality).toBe(Number.POSITIVE_INFINITY);
  });

  it('shares the object for one value, any value and no value', () => {
    expect(Requirement.exists(key)).toBe(Requirement.exists(key));
    expect(Requirement.doesNotExist(key)).toBe(Requirement.doesNotExist(key));
    expect(Requirement.doesNotExist(key, 2).minValues).toBe(2);
    expect(Requirement.in(key, ['a'])).toBe(Requirement.is(key, 'a'));
    expect(Requirement.in(key, ['a'], 1)).not.toBe(Requirement.is(key, 'a'));
  });

  it('is DoesNotExist for empty bounds and Exists for open ones', () => {
    expect(Requirement.between(key, 3n, 2n, 5).operator).toBe('DoesNotExist');
    expect(Requirement.between(key, undefined, undefined).equals(Requirement.exists(key))).toBe(true);
  });

  it('is satisfied by a missing label only as NotIn and DoesNotExist', () => {
    const allowing = [read('NotIn', ['a']), read('DoesNotExist')];
    const refusing = [read('In', ['a']), read('Exists'), gte3];
    expect([...allowing, ...refusing].map(({ allowsAbsence }) => allowsAbsence)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
