import { type BoundPodParts, boundPod, budget, node } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import type { ClusterPod, PodDisruptionBudget } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';

const deleted = '2026-01-01T00:00:00Z';
const started = Date.UTC(2026, 0, 1);

function moving(pods: readonly ClusterPod[], budgets: readonly PodDisruptionBudget[] = [], at = 0) {
  const state = new ClusterState();
  state.apply({ type: 'applied', kind: 'Node', object: node('a') });
  state.apply({ type: 'markedForDeletion', nodes: ['cloud://a'] });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  for (const object of budgets) state.apply({ type: 'applied', kind: 'PodDisruptionBudget', object });
  const { movingPods, boundPods } = state.snapshot(at);
  expect(movingPods.length + boundPods.length).toBe(pods.length);
  return movingPods.map(({ metadata }) => metadata.name);
}

const moves = (parts: BoundPodParts, budgets: readonly PodDisruptionBudget[] = [], at = 0) =>
  moving([boundPod('p', 'a', parts)], budgets, at).length > 0;

describe('pods of a node marked for deletion', () => {
  it('move, except DaemonSet and static pods', () => {
    const own = [boundPod('d', 'a', { owner: 'DaemonSet/d' }), boundPod('m', 'a', { owner: 'Node/a' })];
    expect(moving([boundPod('p', 'a', { owner: 'ReplicaSet/r' }), boundPod('bare', 'a'), ...own])).toEqual([
      'bare',
      'p',
    ]);
  });

  it('do not move while terminating, except those of StatefulSets', () => {
    expect(moves({ owner: 'ReplicaSet/r', deleted })).toBe(false);
    expect(moves({ owner: 'StatefulSet/s', deleted })).toBe(true);
  });

  it('stay among the bound pods while they cannot move', () => {
    expect(moves({ annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })).toBe(false);
  });
});

describe('pods with do-not-disrupt', () => {
  const isProtected = (value: string, parts: BoundPodParts = {}, at = started) =>
    !moves({ annotations: { 'karpenter.sh/do-not-disrupt': value }, ...parts }, [], at);

  it('are protected for good, or for a duration from their start', () => {
    expect(isProtected('true')).toBe(true);
    const startTime = '2026-01-01T00:00:00Z';
    expect(isProtected('10m', { startTime }, started + 599_999)).toBe(true);
    expect(isProtected('10m', { startTime }, started + 600_000)).toBe(false);
    expect(isProtected('10m')).toBe(true);
  });

  it('are not protected by an invalid or non-positive value', () => {
    expect(['false', 'soon', '-5m', '0s', ''].map((value) => isProtected(value))).toEqual(
      Array(5).fill(false),
    );
  });

  it('are not protected once terminating', () => {
    expect(isProtected('true', { owner: 'StatefulSet/s', deleted })).toBe(false);
  });
});

describe('PodDisruptionBudgets', () => {
  it.each([{ maxUnavailable: 0 }, { maxUnavailable: '0%' }, { minAvailable: '100%' }])(
    'block a pod when they can never allow an eviction: %j',
    (spec) => {
      expect(moves({}, [budget('b', spec)])).toBe(false);
    },
  );

  it.each([{ maxUnavailable: 1 }, { minAvailable: 1 }, { minAvailable: '99%' }])(
    'do not block a pod when they may allow an eviction: %j',
    (spec) => {
      expect(moves({}, [budget('b', spec)])).toBe(true);
    },
  );

  it('block a pod whenever two of them select it', () => {
    expect(moves({}, [budget('b', { maxUnavailable: 1 }), budget('c', { maxUnavailable: 1 })])).toBe(false);
  });

  it('allow unready pods with the AlwaysAllow policy', () => {
    const lenient = budget('b', { maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expect([moves({ isReady: false }, [lenient]), moves({ isReady: true }, [lenient])]).toEqual([
      true,
      false,
    ]);
  });

  it('apply to their own namespace, and to no pods without a selector', () => {
    expect(moves({}, [budget('b', { maxUnavailable: 0 }, { namespace: 'x' })])).toBe(true);
    const { selector: _, ...spec } = budget('b', { maxUnavailable: 0 }).spec;
    expect(moves({}, [{ ...budget('b'), spec }])).toBe(true);
    const others = budget('b', { maxUnavailable: 0, selector: { matchLabels: { app: 'x' } } });
    expect(moves({}, [others])).toBe(true);
  });

  it('do not apply to pods that a drain does not evict', () => {
    const blocking = [budget('b', { maxUnavailable: 0 })];
    expect(moves({ tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] }, blocking)).toBe(
      true,
    );
    expect(moves({ owner: 'StatefulSet/s', deleted }, blocking)).toBe(true);
  });
});
