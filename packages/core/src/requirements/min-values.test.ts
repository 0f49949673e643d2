import { describe, expect, it } from 'vitest';
import { checkMinValues, minValuesText, relaxMinValues } from './min-values.ts';
import { Requirements } from './requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const vocabulary = new Vocabulary();
const types = [
  ['c5', 'large', ['a']],
  ['c5', 'xlarge', ['a']],
  ['m5', 'large', ['a', 'b']],
  ['r5', 'large', ['c']],
].map(([family = '', size = '', zones]) =>
  Requirements.fromItems(vocabulary, [
    { key: 'family', operator: 'In', values: [String(family)] },
    { key: 'size', operator: 'In', values: [String(size)] },
    { key: 'zone', operator: 'In', values: zones as string[] },
    { key: 'gpu', operator: 'DoesNotExist' },
  ]),
);
const asking = (...wanted: readonly (readonly [string, number])[]) =>
  Requirements.fromItems(
    vocabulary,
    wanted.map(([key, minValues]) => ({ key, operator: 'Exists', minValues })),
  );

describe('checkMinValues', () => {
  it('needs no type without minValues', () => {
    const outcome = checkMinValues(Requirements.fromLabels(vocabulary, { family: 'c5' }), types);
    expect(outcome).toEqual({ needed: 0, shortfalls: [] });
  });

  it.each([
    ['family', 1, 1],
    ['family', 2, 3],
    ['family', 3, 4],
    ['size', 2, 2],
    ['zone', 2, 3],
  ])('finds %s with %i values in the first %i types', (key, minValues, needed) => {
    expect(checkMinValues(asking([key, minValues]), types)).toEqual({ needed, shortfalls: [] });
  });

  it('takes the longest prefix that any key needs', () => {
    expect(checkMinValues(asking(['size', 2], ['family', 3]), types).needed).toBe(4);
  });

  it('counts every value of a type, even one the requirements exclude', () => {
    const requirements = Requirements.fromItems(vocabulary, [
      { key: 'zone', operator: 'In', values: ['a'], minValues: 3 },
    ]);
    expect(checkMinValues(requirements, types)).toEqual({ needed: 4, shortfalls: [] });
  });

  it('reports every failing key with the number of values there are, sorted', () => {
    const { needed, shortfalls } = checkMinValues(
      asking(['size', 3], ['family', 2], ['gpu', 1], ['arch', 1]),
      types,
    );
    expect(needed).toBe(4);
    expect(shortfalls.map(({ key, minValues, available }) => [key.name, minValues, available])).toEqual([
      ['arch', 1, 0],
      ['gpu', 1, 0],
      ['size', 3, 2],
    ]);
    expect(minValuesText(shortfalls)).toBe(
      'minValues requirement is not met for label(s) (label(s)=[arch gpu size])',
    );
  });

  it('fails on an empty list', () => {
    expect(checkMinValues(asking(['size', 1]), []).shortfalls).toHaveLength(1);
  });
});

describe('relaxMinValues', () => {
  it('lowers only the failing minValues to what there is', () => {
    const requirements = asking(['size', 3], ['family', 2], ['gpu', 1]);
    const { shortfalls } = checkMinValues(requirements, types);
    expect(String(relaxMinValues(requirements, shortfalls))).toBe(
      'family Exists minValues 2, gpu Exists, size Exists minValues 2',
    );
  });
});
