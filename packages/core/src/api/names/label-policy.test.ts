import { describe, expect, it } from 'vitest';
import {
  coreLabelPolicy,
  extendLabelPolicy,
  isRestrictedLabel,
  normalizeLabel,
  restrictedLabelError,
} from './label-policy.ts';
import { nodeClassLabelKey } from './labels.ts';

describe('label policy', () => {
  it.each(['karpenter.sh/initialized', 'testing.karpenter.sh/x', 'kubernetes.io/hostname'])(
    'restricts %s',
    (key) => {
      expect(isRestrictedLabel(key, coreLabelPolicy)).toBe(true);
    },
  );

  it.each([
    'karpenter.sh/capacity-type',
    'karpenter.sh/nodepool',
    'topology.kubernetes.io/zone',
    'mykarpenter.sh/x',
    'karpenter.sh',
    'team',
    'kubernetes.io/whatever',
  ])('allows %s', (key) => {
    expect(isRestrictedLabel(key, coreLabelPolicy)).toBe(false);
  });

  it('is extended by the domains and labels of a provider', () => {
    const policy = extendLabelPolicy(coreLabelPolicy, {
      wellKnown: new Set(['cloud.example/size']),
      restrictedDomains: new Set(['cloud.example']),
      restrictedLabels: new Set(['secret']),
      aliases: new Map([['old', 'cloud.example/size']]),
    });
    expect(isRestrictedLabel('cloud.example/size', policy)).toBe(false);
    expect(isRestrictedLabel('cloud.example/other', policy)).toBe(true);
    expect(isRestrictedLabel('sub.cloud.example/other', policy)).toBe(true);
    expect(isRestrictedLabel('secret', policy)).toBe(true);
    expect(isRestrictedLabel('karpenter.sh/other', policy)).toBe(true);
    expect(normalizeLabel('old', policy)).toBe('cloud.example/size');
  });

  it('explains a restriction in Karpenter’s words', () => {
    expect(restrictedLabelError('kubernetes.io/hostname', coreLabelPolicy)).toBe(
      'using label kubernetes.io/hostname is not allowed as it might interfere with the internal provisioning logic; ' +
        'specify a well known label: [karpenter.sh/capacity-type karpenter.sh/nodepool kubernetes.io/arch ' +
        'kubernetes.io/os node.kubernetes.io/instance-type node.kubernetes.io/windows-build ' +
        'topology.kubernetes.io/region topology.kubernetes.io/zone], or a custom label that does not use a ' +
        'restricted domain: [karpenter.sh]',
    );
  });

  it('normalizes deprecated keys and keeps others', () => {
    expect(normalizeLabel('beta.kubernetes.io/arch', coreLabelPolicy)).toBe('kubernetes.io/arch');
    expect(normalizeLabel('team', coreLabelPolicy)).toBe('team');
  });

  it('derives the label of a NodeClass from its kind', () => {
    expect(nodeClassLabelKey({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' })).toBe(
      'karpenter.k8s.aws/ec2nodeclass',
    );
  });
});
