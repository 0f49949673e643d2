import { minutes } from '@karpenter/core/api';
import { claim } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { withFalse, withTrue, withUnknown } from './claim-status.ts';
import { livenessOf } from './liveness.ts';

const created = Date.UTC(2026, 0, 1);
const after = (count: number) => created + minutes(count);
const young = claim('a', { created: '2026-01-01T00:00:00Z' });
const expired = (reason: string, timeout: number) => ({ verdict: 'expired', reason, timeout });

describe('a claim times out', () => {
  it('when it is not launched 5 min after its creation', () => {
    expect(livenessOf(young, after(5) - 1)).toEqual({ verdict: 'waiting', for: 1 });
    expect(livenessOf(young, after(5))).toEqual(expired('launch_timeout', minutes(5)));
  });

  it('when it is launched but not registered 15 min after its creation', () => {
    const waiting = withUnknown(young, 'Registered', { reason: 'NodeNotFound' }, created);
    const launched = withTrue(waiting, 'Launched', after(4));
    expect(livenessOf(launched, after(15) - 1)).toEqual({ verdict: 'waiting', for: 1 });
    expect(livenessOf(launched, after(15))).toEqual(expired('registration_timeout', minutes(15)));
  });

  it('counted from the last change of status, not of the reason', () => {
    const failing = withUnknown(young, 'Launched', { reason: 'LaunchFailed' }, created);
    const otherwise = withUnknown(failing, 'Launched', { reason: 'SubnetsNotFound' }, after(4));
    expect(livenessOf(otherwise, after(5))).toMatchObject({ verdict: 'expired' });
  });

  it('counted from when several Nodes were found, which changes the status', () => {
    const launched = withTrue(young, 'Launched', created);
    const waiting = withUnknown(launched, 'Registered', { reason: 'NodeNotFound' }, created);
    const ambiguous = withFalse(waiting, 'Registered', { reason: 'MultipleNodesFound' }, after(10));
    expect(livenessOf(ambiguous, after(24))).toMatchObject({ verdict: 'waiting' });
    expect(livenessOf(ambiguous, after(25))).toMatchObject({ reason: 'registration_timeout' });
  });

  it('never once it is registered, however long initialization takes', () => {
    const registered = claim('a', {
      created: '2026-01-01T00:00:00Z',
      conditions: ['Launched', 'Registered'],
    });
    expect(livenessOf(registered, after(10_000))).toEqual({ verdict: 'settled' });
  });
});
