import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { nodeClaimLabels } from './node-claim-labels.ts';
import { Requirements } from './requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const labelsOf = (...items: readonly (readonly [string, string, ...string[]])[]) =>
  nodeClaimLabels(
    Requirements.fromItems(
      new Vocabulary(),
      items.map(([key, operator, ...values]) => ({ key, operator, values })),
    ),
    coreLabelPolicy,
  );

describe('nodeClaimLabels', () => {
  it('gives every custom key one concrete value', () => {
    expect(
      labelsOf(['team', 'In', 'b', 'a'], ['rack', 'Exists'], ['level', 'Gt', '3'], ['row', 'NotIn', '0']),
    ).toEqual({
      team: 'a',
      rack: '0',
      level: '4',
      row: '1',
    });
  });

  it('gives no label for a key that must not exist', () => {
    expect(labelsOf(['team', 'DoesNotExist'])).toEqual({});
  });

  it('gives no label for well-known and restricted keys', () => {
    const labels = labelsOf(
      ['topology.kubernetes.io/zone', 'In', 'a'],
      ['karpenter.sh/registered', 'In', 'true'],
      ['kubernetes.io/hostname', 'In', 'hostname-placeholder-0001'],
    );
    expect(labels).toEqual({});
  });
});
