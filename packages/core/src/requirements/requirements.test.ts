import { describe, expect, it } from 'vitest';
import { CodedError } from '../errors/index.ts';
import { LabelKeySet } from './label-key-set.ts';
import { Requirement } from './requirement.ts';
import { Requirements } from './requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const vocabulary = new Vocabulary();
const [team, tier, cpu] = [vocabulary.key('team'), vocabulary.key('tier'), vocabulary.key('cpu')];
const labels = (record: Record<string, string>) => Requirements.fromLabels(vocabulary, record);

describe('Requirements', () => {
  it('intersects items on one key, aliases included', () => {
    const requirements = Requirements.fromItems(vocabulary, [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
      { key: 'beta.kubernetes.io/arch', operator: 'NotIn', values: ['arm64'] },
    ]);
    expect(String(requirements)).toBe('kubernetes.io/arch In [amd64]');
  });

  it('returns Exists for a key without entry', () => {
    expect(labels({}).get(team).equals(Requirement.exists(team))).toBe(true);
    expect(labels({}).has(team)).toBe(false);
    expect(labels({ team: 'a' }).get(team).values()).toEqual(['a']);
  });

  it('finds entries in sets of any size', () => {
    const names = Array.from({ length: 40 }, (_, i) => `label-${i}`);
    const requirements = labels(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(names.every((name) => requirements.has(vocabulary.key(name)))).toBe(true);
    expect(requirements.has(vocabulary.key('interned-later'))).toBe(false);
    expect(requirements.intersects(labels({ 'label-39': 'y' }))).toBe(false);
    expect(requirements.compatible(labels({ 'interned-last': 'y' }), LabelKeySet.empty)).toBe(false);
  });

  it('prints itself sorted by key without the host name', () => {
    const requirements = Requirements.fromItems(vocabulary, [
      { key: 'zoo', operator: 'Exists' },
      { key: 'kubernetes.io/hostname', operator: 'In', values: ['hostname-placeholder-0001'] },
      { key: 'ant', operator: 'Gt', values: ['3'] },
    ]);
    expect(String(requirements)).toBe('ant Exists >=4, zoo Exists');
    expect(requirements.keys().map(({ name }) => name)).toEqual(['ant', 'kubernetes.io/hostname', 'zoo']);
    expect(requirements.toItems().map(({ key }) => key)).toEqual(['ant', 'kubernetes.io/hostname', 'zoo']);
    expect(String(Requirements.none)).toBe('');
  });

  it('combines sets and returns the same object when nothing is added', () => {
    const base = labels({ team: 'a', tier: 'x' });
    expect(base.and(Requirements.none)).toBe(base);
    expect(Requirements.none.and(base)).toBe(base);
    expect(base.and(labels({ tier: 'x' }))).toBe(base);
    expect(String(base.and(labels({ cpu: '4' })))).toBe('cpu In [4], team In [a], tier In [x]');
    expect(String(base.and(labels({ tier: 'y' })))).toBe('team In [a], tier DoesNotExist');
  });

  it('replaces and removes entries without touching the original', () => {
    const base = labels({ team: 'a', tier: 'x' });
    expect(String(base.with(Requirement.is(tier, 'y')))).toBe('team In [a], tier In [y]');
    expect(String(base.with(Requirement.is(cpu, '1')))).toBe('cpu In [1], team In [a], tier In [x]');
    expect(String(base.without(team, cpu))).toBe('tier In [x]');
    expect(base.without(cpu)).toBe(base);
    expect(String(base)).toBe('team In [a], tier In [x]');
  });

  it('agrees on NotIn and DoesNotExist even without a common value', () => {
    const read = (operator: string, values: string[] = []) =>
      Requirements.fromItems(vocabulary, [{ key: 'team', operator, values }]);
    expect(read('NotIn', ['a']).intersects(read('DoesNotExist'))).toBe(true);
    expect(read('DoesNotExist').intersects(read('DoesNotExist'))).toBe(true);
    expect(read('DoesNotExist').intersects(read('Exists'))).toBe(false);
    expect(read('In', ['a']).intersects(read('NotIn', ['a']))).toBe(false);
  });

  it('names the place of a malformed item', () => {
    const read = () =>
      Requirements.fromItems(
        vocabulary,
        [
          { key: 'team', operator: 'Exists' },
          { key: 'cpu', operator: 'Lt', values: ['few'] },
        ],
        'spec.template.spec.requirements',
      );
    expect(read).toThrow(CodedError);
    expect(read).toThrow(
      /^spec\.template\.spec\.requirements\[1\]\.values: "few" is not a bound for Lt on cpu; /,
    );
  });
});
