import { instanceType, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';

const type = instanceType('t', { price: 1 });

const planned = (...pools: readonly ReturnType<typeof pool>[]) =>
  plan(snapshot({ pods: [pod('p')], pools, types: [type] }), planOptions);

const condition = (name: string, status: 'True' | 'False' | 'Unknown') => ({
  type: name,
  status,
  reason: name,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('a NodePool', () => {
  it.each(['False', 'Unknown'] as const)('creates no nodes while its condition Ready is %s', (status) => {
    const unready = pool('unready', { weight: 9, conditions: [condition('Ready', status)] });
    expect(planned(unready, pool('spare')).newNodes).toMatchObject([{ nodePool: 'spare' }]);
  });

  it('creates nodes although its condition NodeRegistrationHealthy is False', () => {
    const conditions = [condition('Ready', 'True'), condition('NodeRegistrationHealthy', 'False')];
    expect(planned(pool('default', { conditions })).newNodes).toHaveLength(1);
  });

  it('creates no nodes while it is being deleted', () => {
    const leaving = pool('leaving', { weight: 9, deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(planned(leaving, pool('spare')).newNodes).toMatchObject([{ nodePool: 'spare' }]);
  });

  it('takes pods that do not tolerate its startup taints', () => {
    const startupTaints = [{ key: 'starting', effect: 'NoSchedule' as const }];
    expect(planned(pool('default', { startupTaints })).newNodes).toHaveLength(1);
  });

  it('of equal weight is tried first if its name comes later', () => {
    const weight = 5;
    expect(
      planned(pool('b', { weight }), pool('c', { weight }), pool('a', { weight })).newNodes,
    ).toMatchObject([{ nodePool: 'c' }]);
  });
});
