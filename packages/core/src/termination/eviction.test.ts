import { boundPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { evictionStep, nextStepTime } from './eviction.ts';

const at = Date.UTC(2026, 0, 1, 1);
const doNotDisrupt = 'karpenter.sh/do-not-disrupt';
const soon = { terminationGracePeriodSeconds: 30 };
const step = (parts: Parameters<typeof boundPod>[2], deadline?: number) =>
  evictionStep(boundPod('p', 'n', parts), deadline, at);

describe('a pod of a draining node', () => {
  it('is evicted', () => {
    expect(step({})).toEqual({ act: 'evict' });
  });

  it('is dropped when it is terminal or terminating', () => {
    expect(step({ phase: 'Succeeded' })).toEqual({ act: 'drop' });
    expect(step({ phase: 'Failed' })).toEqual({ act: 'drop' });
    expect(step({ deleted: '2026-01-01T00:59:00Z' })).toEqual({ act: 'drop' });
  });

  it('waits while it is protected by do-not-disrupt', () => {
    expect(step({ annotations: { [doNotDisrupt]: 'true' } })).toEqual({ act: 'wait' });
    const hour = { annotations: { [doNotDisrupt]: '1h' } };
    expect(step({ ...hour, startTime: '2026-01-01T00:30:00Z' })).toEqual({ act: 'wait' });
    expect(step({ ...hour, startTime: '2026-01-01T00:00:00Z' })).toEqual({ act: 'evict' });
  });

  it('does not wait for its protection once it is terminating', () => {
    const annotations = { [doNotDisrupt]: 'true' };
    expect(step({ annotations, deleted: '2026-01-01T00:59:00Z' })).toEqual({ act: 'drop' });
  });

  it('is deleted forcefully before the deadline, even if protected', () => {
    const stubborn = { ...soon, annotations: { [doNotDisrupt]: 'true' } };
    expect(step(stubborn, at + 30_000)).toEqual({ act: 'wait' });
    expect(step(stubborn, at + 29_000)).toEqual({ act: 'delete', gracePeriodSeconds: 29 });
  });

  it('changes its step when the protection ends or the forced deletion starts', () => {
    const protectedPod = {
      ...soon,
      annotations: { [doNotDisrupt]: '2h' },
      startTime: '2026-01-01T00:00:00Z',
    };
    const pod = boundPod('p', 'n', protectedPod);
    expect(nextStepTime(pod, undefined, at)).toBe(at + 3_600_000);
    expect(nextStepTime(pod, at + 60_000, at)).toBe(at + 30_001);
    expect(nextStepTime(boundPod('p', 'n'), undefined, at)).toBeUndefined();
  });
});
