import { describe, expect, it } from 'vitest';
import { coreLabelAliases } from './label-aliases.ts';
import { Requirement } from './requirement.ts';
import { Vocabulary } from './vocabulary.ts';

const zone = 'topology.kubernetes.io/zone';

describe('Vocabulary', () => {
  it('gives one object for each key', () => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.key('team')).toBe(vocabulary.key('team'));
    expect(vocabulary.key('tier').id).not.toBe(vocabulary.key('team').id);
  });

  it.each([
    ['failure-domain.beta.kubernetes.io/zone', zone],
    ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
    ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
    ['beta.kubernetes.io/os', 'kubernetes.io/os'],
    ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ])('reads %s as %s', (alias, name) => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.key(alias)).toBe(vocabulary.key(name));
    expect(vocabulary.key(alias).name).toBe(name);
  });

  it('normalizes keys and values with the aliases of a provider', () => {
    const vocabulary = new Vocabulary({
      keys: new Map([...coreLabelAliases.keys, ['topology.ebs.csi.aws.com/zone', zone]]),
      values: new Map([[zone, new Map([['use1-az1', 'us-east-1a']])]]),
    });
    const key = vocabulary.key('topology.ebs.csi.aws.com/zone');
    expect(key).toBe(vocabulary.key(zone));
    expect(Requirement.in(key, ['use1-az1']).values()).toEqual(['us-east-1a']);
    expect(Requirement.in(key, ['us-east-1a']).has('use1-az1')).toBe(true);
    expect(Requirement.notIn(key, ['us-east-1a']).has('use1-az1')).toBe(false);
  });

  it('is not confused by keys and values named like object members', () => {
    const vocabulary = new Vocabulary();
    expect(vocabulary.key('constructor').name).toBe('constructor');
    expect(vocabulary.key('team').find('toString')).toBe(-1);
  });

  it('knows a value only after it was interned', () => {
    const key = new Vocabulary().key('team');
    expect(key.find('a')).toBe(-1);
    const index = key.intern('a');
    expect(key.find('a')).toBe(index);
    expect(key.intern('a')).toBe(index);
    expect(key.text(index)).toBe('a');
  });

  it('keeps the exact integer of a value', () => {
    const key = new Vocabulary().key('cpu');
    expect(key.integer(key.intern('9007199254740993'))).toBe(9_007_199_254_740_993n);
    expect(key.integer(key.intern('+05'))).toBe(5n);
    expect(key.integer(key.intern('five'))).toBeUndefined();
  });
});

describe('LabelKeySet', () => {
  it('holds keys under any of their spellings and lists them by name', () => {
    const vocabulary = new Vocabulary();
    const keys = vocabulary.keySet(['zebra', zone, 'failure-domain.beta.kubernetes.io/zone', 'ant']);
    expect(keys.has(vocabulary.key(zone))).toBe(true);
    expect(keys.has(vocabulary.key('team'))).toBe(false);
    expect([...keys].map(({ name }) => name)).toEqual(['ant', zone, 'zebra']);
  });
});
