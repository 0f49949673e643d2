import type { Decision } from '@karpenter/core/decisions';
import { describe, expect, it } from 'vitest';
import { advanceTour, startOf, TourStore } from './demo-progress.ts';
import { type DemoMoment, type DemoStep, demoSteps, isStepDone } from './demo-steps.ts';

const quiet: DemoMoment = {
  at: 100,
  tab: 'demo',
  isSelected: false,
  pendingPods: 0,
  runningPods: 10,
  nodes: 3,
  decisions: [],
};

const decision = (kind: Decision['kind'], parts: object = {}): Decision =>
  ({ kind, id: '1', at: 150, summary: '', isReplayable: false, ...parts }) as Decision;

const happenings: Readonly<Record<DemoStep, Partial<DemoMoment>>> = {
  scale: { runningPods: 30 },
  open: { isSelected: true },
  fallback: { decisions: [decision('launch', { capacityType: 'on-demand' })] },
  interrupt: { decisions: [decision('notice')] },
  shrink: { decisions: [decision('disruption')] },
  cost: { tab: 'cost' },
};

describe('the tour', () => {
  it.each(demoSteps)('waits in step %s until it has happened', (step) => {
    const start = startOf(quiet);
    expect(isStepDone(step, start, quiet)).toBe(false);
    expect(isStepDone(step, start, { ...quiet, ...happenings[step] })).toBe(true);
  });

  it('does not count what happened before the step', () => {
    const old = { ...quiet, decisions: [decision('notice', { at: 50 }), decision('disruption', { at: 50 })] };
    expect(isStepDone('interrupt', startOf(quiet), old)).toBe(false);
    expect(isStepDone('shrink', startOf(quiet), old)).toBe(false);
  });

  it('waits while pods are still pending', () => {
    expect(isStepDone('scale', startOf(quiet), { ...quiet, runningPods: 30, pendingPods: 2 })).toBe(false);
  });

  it('does not wait for a pod that was pending before', () => {
    const start = startOf({ ...quiet, pendingPods: 1 });
    expect(isStepDone('scale', start, { ...quiet, runningPods: 30, pendingPods: 1 })).toBe(true);
  });

  it('goes through all steps and stays at the end', () => {
    let state = { step: 0, start: startOf(quiet) };
    for (const step of demoSteps) {
      expect(advanceTour(state, quiet)).toBe(state);
      state = advanceTour(state, { ...quiet, ...happenings[step] });
      state = { ...state, start: startOf(quiet) };
    }
    expect(state.step).toBe(demoSteps.length);
    expect(advanceTour(state, quiet)).toBe(state);
  });

  it('survives a reload, and a broken note of it', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    } as unknown as ConstructorParameters<typeof TourStore>[0];
    new TourStore(storage).set({ step: 2, start: startOf(quiet) });
    expect(new TourStore(storage).state?.step).toBe(2);
    kept.set('karpenter-tour', '{');
    expect(new TourStore(storage).state).toBeUndefined();
  });
});
