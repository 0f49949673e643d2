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
  it.each(['False', 'Unknown'] as const)('makes no nodes while its readiness is %s', (status) => {
    const unready = pool('unready', { weight: 9, conditions: [condition('Ready', status)] });
    expect(planned(unready, pool('spare')).newNodes).toMatchObject([{ nodePool: 'spare' }]);
  });

  it('makes nodes although none of its nodes registered of late', () => {
    const conditions = [condition('Ready', 'True'), condition('NodeRegistrationHealthy', 'False')];
    expect(planned(pool('default', { conditions })).newNodes).toHaveLength(1);
  });

  it('makes no nodes once it is being deleted', () => {
    const leaving = pool('leaving', { weight: 9, deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(planned(leaving, pool('spare')).newNodes).toMatchObject([{ nodePool: 'spare' }]);
  });

  it('takes pods that do not tolerate its startup taints', () => {
    const startupTaints = [{ key: 'starting', effect: 'NoSchedule' as const }];
    expect(planned(pool('default', { startupTaints })).newNodes).toHaveLength(1);
  });

  it('that weighs as much as another is tried first if its name comes later', () => {
    const weight = 5;
    expect(
      planned(pool('b', { weight }), pool('c', { weight }), pool('a', { weight })).newNodes,
    ).toMatchObject([{ nodePool: 'c' }]);
  });
});
