import { boundPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { evictionStep, nextTurn } from './eviction.ts';

const at = Date.UTC(2026, 0, 1, 1);
const doNotDisrupt = 'karpenter.sh/do-not-disrupt';
const soon = { terminationGracePeriodSeconds: 30 };
const step = (parts: Parameters<typeof boundPod>[2], deadline?: number) =>
  evictionStep(boundPod('p', 'n', parts), deadline, at);

describe('a pod that is to leave', () => {
  it('is evicted', () => {
    expect(step({})).toEqual({ act: 'evict' });
  });

  it('is left to itself when it has ended or begun to', () => {
    expect(step({ phase: 'Succeeded' })).toEqual({ act: 'drop' });
    expect(step({ phase: 'Failed' })).toEqual({ act: 'drop' });
    expect(step({ deleted: '2026-01-01T00:59:00Z' })).toEqual({ act: 'drop' });
  });

  it('is waited for while it asks to stay', () => {
    expect(step({ annotations: { [doNotDisrupt]: 'true' } })).toEqual({ act: 'wait' });
    const hour = { annotations: { [doNotDisrupt]: '1h' } };
    expect(step({ ...hour, startTime: '2026-01-01T00:30:00Z' })).toEqual({ act: 'wait' });
    expect(step({ ...hour, startTime: '2026-01-01T00:00:00Z' })).toEqual({ act: 'evict' });
  });

  it('is not waited for on account of a wish that it had before it began to end', () => {
    const annotations = { [doNotDisrupt]: 'true' };
    expect(step({ annotations, deleted: '2026-01-01T00:59:00Z' })).toEqual({ act: 'drop' });
  });

  it('is deleted by force when it is time, whatever it asks for', () => {
    const stubborn = { ...soon, annotations: { [doNotDisrupt]: 'true' } };
    expect(step(stubborn, at + 30_000)).toEqual({ act: 'wait' });
    expect(step(stubborn, at + 29_000)).toEqual({ act: 'delete', gracePeriodSeconds: 29 });
  });

  it('is judged anew when its time to stay is over, or when the time to go has come', () => {
    const guest = { ...soon, annotations: { [doNotDisrupt]: '2h' }, startTime: '2026-01-01T00:00:00Z' };
    const pod = boundPod('p', 'n', guest);
    expect(nextTurn(pod, undefined, at)).toBe(at + 3_600_000);
    expect(nextTurn(pod, at + 60_000, at)).toBe(at + 30_001);
    expect(nextTurn(boundPod('p', 'n'), undefined, at)).toBeUndefined();
  });
});
