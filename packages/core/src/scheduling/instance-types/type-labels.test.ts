import { describe, expect, it } from 'vitest';
import { type RequirementItem, Requirements, Vocabulary } from '../../requirements/index.ts';
import { TypeLabels } from './type-labels.ts';

const isIn = (key: string, ...values: string[]): RequirementItem => ({ key, operator: 'In', values });

describe('the labels of instance types', () => {
  const vocabulary = new Vocabulary({ keys: new Map([['beta/arch', 'arch']]) });
  const labels = new TypeLabels(vocabulary);
  const items: readonly (readonly RequirementItem[])[] = [
    [isIn('arch', 'amd64'), isIn('zone', 'a', 'b')],
    [isIn('arch', 'arm64'), isIn('zone', 'b')],
    [isIn('beta/arch', 'amd64'), isIn('zone', 'c'), { key: 'gpu', operator: 'DoesNotExist' }],
    [isIn('arch', 'amd64', 'arm64'), isIn('beta/arch', 'arm64')],
    [],
  ];
  const rows = Uint32Array.from(items, (list) => labels.add(list));
  const wanted: readonly (readonly RequirementItem[])[] = [
    [isIn('arch', 'amd64')],
    [isIn('arch', 'arm64'), isIn('zone', 'b', 'c')],
    [{ key: 'gpu', operator: 'Exists' }],
    [{ key: 'zone', operator: 'NotIn', values: ['b'] }],
    [isIn('team', 'x')],
  ];

  it('intersect requirements as the whole requirements of each type do', () => {
    for (const list of wanted) {
      const asked = Requirements.fromItems(vocabulary, list);
      const whole = items.map((each) => Requirements.fromItems(vocabulary, each).intersects(asked));
      expect(Array.from(labels.meeting(rows, asked), Boolean)).toEqual(whole);
      expect(Array.from(rows, (row) => labels.intersects(row, asked))).toEqual(whole);
    }
  });

  it('are found under any spelling of a key, also for types that are added later', () => {
    const arch = vocabulary.key('beta/arch');
    expect(Array.from(rows, (row) => labels.find(row, arch)?.values())).toEqual([
      ['amd64'],
      ['arm64'],
      ['amd64'],
      ['arm64'],
      undefined,
    ]);
    expect(labels.find(labels.add([isIn('arch', 'riscv')]), arch)?.values()).toEqual(['riscv']);
  });

  it('are not compared again for requirements that are known to be met', () => {
    const met = Requirements.fromItems(vocabulary, [isIn('arch', 'amd64')]);
    expect(Array.from(labels.meeting(rows, met, met))).toEqual([1, 1, 1, 1, 1]);
  });
});
