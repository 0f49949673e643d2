import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainDisjoint, explainIncompatible, incompatibilitiesText } from './incompatibility.ts';
import { LabelKeySet } from './label-key-set.ts';
import type { RequirementItem } from './requirement-item.ts';
import { Requirements } from './requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const vocabulary = new Vocabulary();
const set = (...items: readonly (readonly [string, string, ...string[]])[]) =>
  Requirements.fromItems(
    vocabulary,
    items.map(([key, operator, ...values]): RequirementItem => ({ key, operator, values })),
  );
const wellKnown = vocabulary.keySet([
  'topology.kubernetes.io/zone',
  'kubernetes.io/arch',
  'karpenter.sh/capacity-type',
]);

const text = (existing: Requirements, incoming: Requirements, allowed: LabelKeySet = wellKnown) =>
  incompatibilitiesText(explainIncompatible(existing, incoming, allowed));

describe('explainIncompatible', () => {
  it('names the key and both sides when they are disjoint', () => {
    expect(text(set(['team', 'In', 'a']), set(['team', 'In', 'b']))).toBe(
      'key team, team In [b] not in team In [a]',
    );
    expect(text(set(['team', 'In', 'a']), set(['team', 'DoesNotExist']))).toBe(
      'key team, team DoesNotExist not in team In [a]',
    );
    expect(text(set(['cpu', 'Lt', '6']), set(['cpu', 'Gt', '5']))).toBe(
      'key cpu, cpu Exists >=6 not in cpu Exists <=5',
    );
  });

  it('reports a label without known values', () => {
    expect(text(set(['team', 'In', 'a']), set(['nowhere', 'In', 'b']))).toBe(
      'label "nowhere" does not have known values',
    );
    expect(text(Requirements.none, set(['nowhere', 'Exists']))).toBe(
      'label "nowhere" does not have known values',
    );
  });

  it('allows well-known labels to be undefined only where that is permitted', () => {
    const zonal = set(['topology.kubernetes.io/zone', 'In', 'a']);
    expect(text(Requirements.none, zonal)).toBe('');
    expect(text(Requirements.none, zonal, LabelKeySet.empty)).toBe(
      'label "topology.kubernetes.io/zone" does not have known values',
    );
  });

  it('allows any label to be undefined with NotIn and DoesNotExist', () => {
    expect(text(Requirements.none, set(['a', 'NotIn', 'x'], ['b', 'DoesNotExist']), LabelKeySet.empty)).toBe(
      '',
    );
  });

  it.each([
    ['zone', 'topology.kubernetes.io/zone'],
    ['kubernetes.io/zone', 'topology.kubernetes.io/zone'],
    ['example.com/arch', 'kubernetes.io/arch'],
    ['team', 'example.com/team'],
  ])('suspects that %s is a typo of %s', (written, meant) => {
    const existing = set(['example.com/team', 'In', 'a']);
    expect(text(existing, set([written, 'In', 'a']))).toBe(
      `label "${written}" does not have known values (typo of "${meant}"?)`,
    );
  });

  it('looks for typos among allowed labels before those of the node', () => {
    const existing = set(['a.example.com/zone', 'In', 'a']);
    expect(text(existing, set(['zone', 'In', 'a']))).toContain('(typo of "topology.kubernetes.io/zone"?)');
    expect(text(existing, set(['zone', 'In', 'a']), LabelKeySet.empty)).toContain(
      '(typo of "a.example.com/zone"?)',
    );
  });

  it('lists undefined labels sorted by name, and disjoint ones only if there are none', () => {
    const existing = set(['x', 'In', '1'], ['b', 'In', '1']);
    const incoming = set(['x', 'In', '2'], ['quince', 'In', '1'], ['b', 'In', '2'], ['pear', 'In', '1']);
    expect(text(existing, incoming)).toBe(
      'label "pear" does not have known values; label "quince" does not have known values',
    );
    expect(text(existing, set(['x', 'In', '2'], ['b', 'In', '2']))).toBe(
      'key b, b In [2] not in b In [1]; key x, x In [2] not in x In [1]',
    );
  });

  it('returns the reasons as data too', () => {
    const [reason] = explainIncompatible(set(['team', 'In', 'a']), set(['team', 'In', 'b']), wellKnown);
    expect(reason).toMatchObject({ kind: 'disjoint', key: vocabulary.key('team') });
    const [missing] = explainIncompatible(Requirements.none, set(['zone', 'In', 'b']), wellKnown);
    expect(missing).toMatchObject({ kind: 'undefined', typo: vocabulary.key('topology.kubernetes.io/zone') });
  });

  it('has reasons exactly when the check fails', () => {
    const item = fc.record({
      key: fc.constantFrom('p', 'q', 'r'),
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lte'),
      values: fc.constantFrom('1', '2', '3').map((value) => [value]),
    });
    const sets = fc.array(item, { maxLength: 4 }).map((items) => Requirements.fromItems(vocabulary, items));
    fc.assert(
      fc.property(sets, sets, fc.subarray(['p', 'q', 'r']), (a, b, names) => {
        const allowed = vocabulary.keySet(names);
        expect(explainIncompatible(a, b, allowed).length === 0).toBe(a.compatible(b, allowed));
        expect(explainDisjoint(a, b).length === 0).toBe(a.intersects(b));
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});
