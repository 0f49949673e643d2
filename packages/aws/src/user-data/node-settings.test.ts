import { unregisteredTaint } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { bottlerocketVersion } from './bottlerocket-version.ts';
import { bootTaints, registrableLabels } from './node-settings.ts';

describe('registrableLabels', () => {
  it('leaves out the domains that Kubernetes keeps to itself', () => {
    const kept = { team: 'a', 'karpenter.sh/nodepool': 'p', 'example.com/k8s.io': 'x', 'myk8s.io/a': 'x' };
    const others = {
      'kubernetes.io/arch': 'amd64',
      'topology.kubernetes.io/zone': 'z',
      'k8s.io/a': 'x',
      'topology.k8s.aws/zone-id': 'x',
      'node-restriction.kubernetes.io/a': 'x',
      'team.node-restriction.kubernetes.io/a': 'x',
    };
    expect(registrableLabels({ ...kept, ...others })).toEqual({ ...kept, 'topology.k8s.aws/zone-id': 'x' });
  });
});

describe('bootTaints', () => {
  const a = { key: 'a', effect: 'NoSchedule' };
  const b = { key: 'b', effect: 'NoSchedule' };

  it('are those of the claim, then those of the start, then the one of unregistered nodes', () => {
    expect(bootTaints({ taints: [a], startupTaints: [b] })).toEqual([a, b, unregisteredTaint]);
  });

  it('do not repeat the last', () => {
    expect(bootTaints({ startupTaints: [unregisteredTaint, b] })).toEqual([unregisteredTaint, b]);
  });
});

describe('bottlerocketVersion', () => {
  const ami = (id: string, name: string) => ({ id, name, requirements: [] });

  it('is that of the alias', () => {
    expect(bottlerocketVersion([{ alias: 'bottlerocket@v1.20.3' }], [])).toBe('v1.20.3');
    expect(bottlerocketVersion([{ alias: 'bottlerocket@latest' }], [])).toBe('latest');
  });

  it('is read from names: of a term, of the image of an id, of any Bottlerocket image', () => {
    const amis = [ami('ami-1', 'other-v9.9.9'), ami('ami-2', 'bottlerocket-aws-k8s-1.35-x86_64-v1.50.0-abc')];
    expect(bottlerocketVersion([{ name: 'bottlerocket-*-v1.2.3-*' }], amis)).toBe('v1.2.3');
    expect(bottlerocketVersion([{ id: 'ami-1' }], amis)).toBe('v9.9.9');
    expect(bottlerocketVersion([{ tags: { a: 'b' } }], amis)).toBe('v1.50.0');
    expect(bottlerocketVersion([{ tags: { a: 'b' } }], [])).toBeUndefined();
  });
});
