import type { Pod } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { describe, expect, it } from 'vitest';
import { planBudget } from './plan-budget.ts';

const now = Date.UTC(2026, 0, 1);

function pods(ready: number, unready = 0, owner = 'set'): readonly Pod[] {
  return Array.from({ length: ready + unready }, (_, index) => ({
    metadata: {
      name: `p${index}`,
      labels: { app: 'web' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true },
      ],
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: index < ready ? 'True' : 'False' }] },
  }));
}

function budget(
  spec: PodDisruptionBudget['spec'],
  status?: PodDisruptionBudget['status'],
): PodDisruptionBudget {
  return {
    metadata: { generation: 3 },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    ...(status && { status }),
  };
}

const scale = (replicas: number) => () => ({ uid: 'set', replicas });

describe('a PodDisruptionBudget', () => {
  it.each([
    { spec: { minAvailable: 2 }, ready: 3, replicas: 5, expected: [3, 2, 1] },
    { spec: { minAvailable: '50%' }, ready: 3, replicas: 5, expected: [5, 3, 0] },
    { spec: { maxUnavailable: 1 }, ready: 5, replicas: 5, expected: [5, 4, 1] },
    { spec: { maxUnavailable: '30%' }, ready: 5, replicas: 5, expected: [5, 3, 2] },
    { spec: { maxUnavailable: 1 }, ready: 3, replicas: 5, expected: [5, 4, 0] },
    { spec: { maxUnavailable: '100%' }, ready: 0, replicas: 0, expected: [0, 0, 0] },
  ])('with $spec, $ready ready of $replicas allows $expected.2', ({ spec, ready, replicas, expected }) => {
    const { status } = planBudget(budget(spec), { pods: pods(ready), scaleOf: scale(replicas), now });

    expect([status.expectedPods, status.desiredHealthy, status.disruptionsAllowed]).toEqual(expected);
    expect(status.conditions).toMatchObject([
      {
        type: 'DisruptionAllowed',
        status: status.disruptionsAllowed > 0 ? 'True' : 'False',
        observedGeneration: 3,
      },
    ]);
  });

  it('does not count pods with a granted eviction as healthy until the eviction times out', () => {
    const recent = new Date(now - 30_000).toISOString();
    const old = new Date(now - 121_000).toISOString();
    const before = { currentHealthy: 3, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 3 };
    const disruptedPods = { p0: recent, p1: old, gone: recent };

    const { status, requeueAfterMs } = planBudget(budget({ minAvailable: 1 }, { ...before, disruptedPods }), {
      pods: pods(3),
      scaleOf: scale(3),
      now,
    });

    expect(status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1, disruptedPods: { p0: recent } });
    expect(status.disruptedPods).toEqual({ p0: recent });
    expect(requeueAfterMs).toBe(90_000);
  });

  it('allows no eviction when the expected number of pods is unknown', () => {
    const { status } = planBudget(budget({ maxUnavailable: 1 }), {
      pods: pods(3),
      scaleOf: () => undefined,
      now,
    });

    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed' }],
    });
  });
});
