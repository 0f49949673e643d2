import { unregisteredTaint } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { bottlerocketVersion } from './bottlerocket-version.ts';
import { bootTaints, registrableLabels } from './node-settings.ts';

describe('registrableLabels', () => {
  it('leaves out labels of the domains that Kubernetes restricts', () => {
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

  it('are taints, then startup taints, then the unregistered taint', () => {
    expect(bootTaints({ taints: [a], startupTaints: [b] })).toEqual([a, b, unregisteredTaint]);
  });

  it('do not repeat the unregistered taint', () => {
    expect(bootTaints({ startupTaints: [unregisteredTaint, b] })).toEqual([unregisteredTaint, b]);
  });
});

describe('bottlerocketVersion', () => {
  const ami = (id: string, name: string) => ({ id, name, requirements: [] });

  it('comes from the alias', () => {
    expect(bottlerocketVersion([{ alias: 'bottlerocket@v1.20.3' }], [])).toBe('v1.20.3');
    expect(bottlerocketVersion([{ alias: 'bottlerocket@latest' }], [])).toBe('latest');
  });

  it('comes from the name of a term, of a selected AMI or of any Bottlerocket AMI', () => {
    const amis = [ami('ami-1', 'other-v9.9.9'), ami('ami-2', 'bottlerocket-aws-k8s-1.35-x86_64-v1.50.0-abc')];
    expect(bottlerocketVersion([{ name: 'bottlerocket-*-v1.2.3-*' }], amis)).toBe('v1.2.3');
    expect(bottlerocketVersion([{ id: 'ami-1' }], amis)).toBe('v9.9.9');
    expect(bottlerocketVersion([{ tags: { a: 'b' } }], amis)).toBe('v1.50.0');
    expect(bottlerocketVersion([{ tags: { a: 'b' } }], [])).toBeUndefined();
  });
});
