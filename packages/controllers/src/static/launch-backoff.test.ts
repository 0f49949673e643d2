import { VirtualClock } from '@karpenter/testkit/clock';
import { pool } from '@karpenter/testkit/snapshots';
import { beforeEach, describe, expect, it } from 'vitest';
import { LaunchBackoff, type LaunchOutcome } from './launch-backoff.ts';

const nodePool = pool('default', { replicas: 2 });

describe('the backoff of a static NodePool', () => {
  let clock: VirtualClock;
  let backoff: LaunchBackoff;

  beforeEach(() => {
    clock = new VirtualClock();
    backoff = new LaunchBackoff(clock);
  });

  const attempt = (outcomes: Readonly<Record<string, LaunchOutcome>>) => {
    backoff.created(nodePool, Object.keys(outcomes));
    return backoff.observe(nodePool, (claim) => outcomes[claim] ?? 'failed');
  };
  const wait = () => backoff.observe(nodePool, () => 'launching');

  it('does not delay a pool that has created nothing, or whose NodeClaims are launching or launched', () => {
    expect(wait()).toBe(0);
    expect(attempt({ a: 'launching', b: 'launched' })).toBe(0);
  });

  it('doubles with each failed attempt, from a second to a minute', async () => {
    const delays: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      const delay = attempt({ [`claim-${index}`]: 'failed' });
      delays.push(delay);
      await clock.advance(delay);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('counts NodeClaims that fail one after the other as one attempt', async () => {
    backoff.created(nodePool, ['a', 'b']);
    expect(backoff.observe(nodePool, (claim) => (claim === 'a' ? 'failed' : 'launching'))).toBe(1000);
    await clock.advance(400);
    expect(backoff.observe(nodePool, () => 'failed')).toBe(600);
  });

  it('goes on growing while some NodeClaims of an attempt launch and others fail', async () => {
    await clock.advance(attempt({ a: 'launched', b: 'failed' }));
    await clock.advance(attempt({ c: 'launched', d: 'failed' }));
    expect(attempt({ e: 'failed' })).toBe(4000);
  });

  it('begins anew after an attempt that succeeded', async () => {
    await clock.advance(attempt({ a: 'failed' }));
    await clock.advance(attempt({ b: 'failed' }));
    expect(attempt({ c: 'launched' })).toBe(0);
    expect(attempt({ d: 'failed' })).toBe(1000);
  });

  it('ends when the spec of the pool changes', () => {
    attempt({ a: 'failed' });
    const changed = { ...nodePool, metadata: { ...nodePool.metadata, generation: 7 } };
    expect(backoff.observe(changed, () => 'launching')).toBe(0);
  });

  it('ends with the pool', () => {
    attempt({ a: 'failed' });
    backoff.forget('default');
    expect(wait()).toBe(0);
  });
});
