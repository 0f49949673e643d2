// Checks the algebra against a naive model: a requirement is the list of items it was created from, and allows
// the values of a small universe that every item accepts.
import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxInt64, minInt64, parseInt64 } from './int64.ts';
import { representative } from './representative.ts';
import type { Requirement } from './requirement.ts';
import { type RequirementItem, requirementFromItem, requirementItems } from './requirement-item.ts';
import { requirementText } from './requirement-text.ts';
import { Requirements } from './requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const max = '9223372036854775807';
const listable = ['a', 'b', '', '-3', '0', '1', '2', '5', '05', '+5', '7', max, '9223372036854775806'];
const neverListed = ['never', '4', '-4', '007', '9223372036854775808'];
const universe = [...listable, ...neverListed];
const keys = ['k', 'team', 'zone', 'rack'];
const runs = { numRuns: rounds({ quick: 2_000, full: 10_000 }) };

const values = fc.uniqueArray(fc.constantFrom(...listable), { maxLength: 4 });
const bound = fc.constantFrom('-3', '0', '1', '2', '4', '5', '7', max, '-9223372036854775808');
const minValues = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 4 });
const item = fc.oneof(
  fc.record({ key: fc.constant('k'), operator: fc.constantFrom('In', 'NotIn'), values, minValues }),
  fc.record({ key: fc.constant('k'), operator: fc.constantFrom('Exists', 'DoesNotExist'), minValues }),
  fc.record({
    key: fc.constant('k'),
    operator: fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'),
    values: bound.map((value) => [value]),
    minValues,
  }),
) satisfies fc.Arbitrary<RequirementItem>;
const items = fc.array(item, { minLength: 1, maxLength: 3 });

type Items = readonly RequirementItem[];

/**
 * How far apart the indexes of listed values lie: 0 gives one word and leaves them to be interned by use, the
 * others spread them over several words, with equal bits in different ones.
 */
const gap = fc.constantFrom(0, 7, 32);

function spread(distance: number): Vocabulary {
  const vocabulary = new Vocabulary();
  for (const key of keys) {
    for (const value of listable) {
      for (let i = 1; i < distance; i++) vocabulary.key(key).intern(`filler-${value}-${i}`);
      vocabulary.key(key).intern(value);
    }
  }
  return vocabulary;
}

const spreadVocabularies = new Map([7, 32].map((distance) => [distance, spread(distance)]));
const spaced = (distance: number) => spreadVocabularies.get(distance) ?? new Vocabulary();

function build(vocabulary: Vocabulary, list: Items): Requirement {
  const [first, ...rest] = list.map((one) => requirementFromItem(vocabulary, one));
  if (first === undefined) throw new Error('a requirement needs an item');
  return rest.reduce((sum, next) => sum.and(next), first);
}

/** The bounds an item sets, in exact integers without a largest or smallest. */
function ends({ operator, values = [] }: RequirementItem): { gte?: bigint; lte?: bigint } {
  const integer = parseInt64(values[0] ?? '') ?? 0n;
  if (operator === 'Gt') return { gte: integer + 1n };
  if (operator === 'Gte') return { gte: integer };
  if (operator === 'Lt') return { lte: integer - 1n };
  if (operator === 'Lte') return { lte: integer };
  return {};
}

function accepts(one: RequirementItem, value: string): boolean {
  const { operator, values = [] } = one;
  if (operator === 'In') return values.includes(value);
  if (operator === 'NotIn') return !values.includes(value);
  if (operator === 'Exists') return true;
  if (operator === 'DoesNotExist') return false;
  const { gte, lte } = ends(one);
  const integer = parseInt64(value);
  return (
    integer !== undefined && (gte === undefined || integer >= gte) && (lte === undefined || integer <= lte)
  );
}

const means = (list: Items) => universe.filter((value) => list.every((one) => accepts(one, value)));
const denoted = (requirement: Requirement) => universe.filter((value) => requirement.has(value));

/** Whether the items allow all but finitely many values, or all integers of a range. */
function isOpen(list: Items): boolean {
  if (list.some(({ operator }) => operator === 'In' || operator === 'DoesNotExist')) return false;
  return !boundsCross(list);
}

function boundsCross(list: Items): boolean {
  const lows = [minInt64, ...list.map((one) => ends(one).gte ?? minInt64)];
  const highs = [maxInt64, ...list.map((one) => ends(one).lte ?? maxInt64)];
  return lows.some((low) => highs.some((high) => low > high));
}

function shareValue(a: Items, b: Items): boolean {
  if (isOpen(a) && isOpen(b)) return !boundsCross([...a, ...b]);
  return means([...a, ...b]).length > 0;
}

describe('the algebra of one key', () => {
  it('accepts exactly the values that every item accepts', () => {
    fc.assert(
      fc.property(items, gap, (list, distance) => {
        expect(denoted(build(spaced(distance), list))).toEqual(means(list));
      }),
      runs,
    );
  });

  it('accepts the same values once they are interned later', () => {
    fc.assert(
      fc.property(items, (list) => {
        const vocabulary = new Vocabulary();
        const requirement = build(vocabulary, list);
        const indexes = universe.map((value) => vocabulary.key('k').intern(value));
        expect(denoted(requirement)).toEqual(means(list));
        expect(universe.filter((_, i) => requirement.hasIndex(indexes[i] ?? -1))).toEqual(means(list));
      }),
      runs,
    );
  });

  it('commutes', () => {
    fc.assert(
      fc.property(items, items, gap, (a, b, distance) => {
        const vocabulary = spaced(distance);
        const [left, right] = [build(vocabulary, a), build(vocabulary, b)];
        expect(denoted(left.and(right))).toEqual(means([...a, ...b]));
        expect(left.and(right).equals(right.and(left))).toBe(true);
      }),
      runs,
    );
  });

  it('associates', () => {
    fc.assert(
      fc.property(items, items, items, gap, (a, b, c, distance) => {
        const vocabulary = spaced(distance);
        const [x, y, z] = [build(vocabulary, a), build(vocabulary, b), build(vocabulary, c)];
        expect(
          x
            .and(y)
            .and(z)
            .equals(x.and(y.and(z))),
        ).toBe(true);
      }),
      runs,
    );
  });

  it('returns the same object when a conjunction adds nothing', () => {
    fc.assert(
      fc.property(items, items, gap, (a, b, distance) => {
        const vocabulary = spaced(distance);
        const joined = build(vocabulary, a).and(build(vocabulary, b));
        expect(joined.and(build(vocabulary, b))).toBe(joined);
      }),
      runs,
    );
  });

  it('intersects when a value is shared, and two complements always unless bounds cross', () => {
    fc.assert(
      fc.property(items, items, gap, (a, b, distance) => {
        const vocabulary = spaced(distance);
        const [left, right] = [build(vocabulary, a), build(vocabulary, b)];
        expect(left.intersects(right)).toBe(shareValue(a, b));
        expect(right.intersects(left)).toBe(shareValue(a, b));
      }),
      runs,
    );
  });

  it('does not depend on the order in which values were interned', () => {
    const order = fc.shuffledSubarray(universe, { minLength: 0, maxLength: universe.length });
    fc.assert(
      fc.property(items, items, order, (a, b, interned) => {
        const [plain, other] = [new Vocabulary(), new Vocabulary()];
        for (const value of interned) other.key('k').intern(value);
        const views = [plain, other].map((vocabulary) => {
          const [left, right] = [build(vocabulary, a), build(vocabulary, b)];
          const joined = left.and(right);
          return [
            requirementText(joined),
            requirementItems(joined),
            representative(joined),
            left.intersects(right),
          ];
        });
        expect(views[1]).toEqual(views[0]);
      }),
      runs,
    );
  });

  it('reads back what it writes, except values excluded beside a bound', () => {
    fc.assert(
      fc.property(items, gap, (list, distance) => {
        const vocabulary = spaced(distance);
        const requirement = build(vocabulary, list);
        const again = build(vocabulary, requirementItems(requirement));
        if (requirement.bounds === undefined || requirement.operator === 'Exists') {
          expect(again.equals(requirement)).toBe(true);
          expect(requirementText(again)).toBe(requirementText(requirement));
        } else {
          expect(again.and(requirement).equals(requirement)).toBe(true);
          expect([again.operator, again.gte, again.lte]).toEqual([
            'Exists',
            requirement.gte,
            requirement.lte,
          ]);
        }
      }),
      runs,
    );
  });

  it('has a representative that it accepts', () => {
    fc.assert(
      fc.property(items, gap, (list, distance) => {
        const requirement = build(spaced(distance), list);
        const value = representative(requirement);
        if (value !== '') expect(requirement.has(value)).toBe(true);
        else expect(means(list).filter((member) => /^[1-9]/.test(member))).toEqual([]);
      }),
      runs,
    );
  });
});

const keyedItems = fc.array(
  fc.tuple(fc.constantFrom(...keys), item).map(([key, one]) => ({ ...one, key }) as RequirementItem),
  { maxLength: 6 },
);
const of = (list: Items, key: string) => list.filter((one) => one.key === key);

/**
 * Whether a node without the label satisfies it: nothing is allowed, or a value within the bounds is
 * excluded.
 */
function allowsAbsence(list: Items): boolean {
  if (!isOpen(list)) return means(list).length === 0;
  const bounds = list.filter(({ operator }) => operator !== 'NotIn');
  const excluded = list.filter(({ operator }) => operator === 'NotIn').flatMap(({ values = [] }) => values);
  return excluded.some((value) => bounds.every((one) => accepts(one, value)));
}

function naiveIntersects(a: Items, b: Items): boolean {
  return keys
    .map((key) => [of(a, key), of(b, key)] as const)
    .filter(([left, right]) => left.length > 0 && right.length > 0)
    .every(([left, right]) => shareValue(left, right) || (allowsAbsence(left) && allowsAbsence(right)));
}

function naiveCompatible(a: Items, b: Items, allowed: readonly string[]): boolean {
  const undefinedKeys = keys.filter(
    (key) => of(b, key).length > 0 && of(a, key).length === 0 && !allowed.includes(key),
  );
  return undefinedKeys.every((key) => allowsAbsence(of(b, key))) && naiveIntersects(a, b);
}

describe('the algebra of many keys', () => {
  it('intersects when every shared key does, or both sides allow absence', () => {
    fc.assert(
      fc.property(keyedItems, keyedItems, gap, (a, b, distance) => {
        const vocabulary = spaced(distance);
        const [left, right] = [Requirements.fromItems(vocabulary, a), Requirements.fromItems(vocabulary, b)];
        expect(left.intersects(right)).toBe(naiveIntersects(a, b));
        expect(right.intersects(left)).toBe(naiveIntersects(a, b));
      }),
      runs,
    );
  });

  it('is compatible when also every key is defined, allowed to be undefined, or required to be absent', () => {
    fc.assert(
      fc.property(keyedItems, keyedItems, fc.subarray(keys), gap, (a, b, allowed, distance) => {
        const vocabulary = spaced(distance);
        const [left, right] = [Requirements.fromItems(vocabulary, a), Requirements.fromItems(vocabulary, b)];
        expect(left.compatible(right, vocabulary.keySet(allowed))).toBe(naiveCompatible(a, b, allowed));
      }),
      runs,
    );
  });

  it('combines key by key, in any order of sides', () => {
    fc.assert(
      fc.property(keyedItems, keyedItems, gap, (a, b, distance) => {
        const vocabulary = spaced(distance);
        const [left, right] = [Requirements.fromItems(vocabulary, a), Requirements.fromItems(vocabulary, b)];
        const joined = left.and(right);
        for (const key of keys)
          expect(denoted(joined.get(vocabulary.key(key)))).toEqual(means(of([...a, ...b], key)));
        expect(joined.equals(right.and(left))).toBe(true);
        expect(joined.and(right)).toBe(joined);
      }),
      runs,
    );
  });
});
