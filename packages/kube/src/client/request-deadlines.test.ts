import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { type RequestDeadline, RequestDeadlines } from './request-deadlines.ts';

function setUp() {
  const clock = new VirtualClock();
  const deadlines = new RequestDeadlines(clock);
  const raised: string[] = [];
  const start = (name: string, seconds: number, outer?: AbortSignal): RequestDeadline => {
    const deadline = deadlines.start(durationMs(seconds * 1000), outer);
    deadline.onCancel(() => raised.push(name));
    return deadline;
  };
  return { clock, raised, start };
}

describe('deadlines of requests', () => {
  it('expire each at its own time, whatever the order of their starts', async () => {
    const { clock, raised, start } = setUp();
    const late = start('late', 30);
    start('soon', 10);
    start('later', 40);
    await clock.advance(10_000);
    expect(raised).toEqual(['soon']);
    await clock.advance(20_000);
    expect(raised).toEqual(['soon', 'late']);
    expect(late.expired).toBe(true);
    await clock.advance(10_000);
    expect(raised).toEqual(['soon', 'late', 'later']);
  });

  it('do nothing once released', async () => {
    const { clock, raised, start } = setUp();
    const outer = new AbortController();
    start('answered', 10, outer.signal).release();
    start('waiting', 20);
    outer.abort();
    await clock.advance(15_000);
    expect(raised).toEqual([]);
  });

  it('share one timer and stop it with the last request', async () => {
    const { clock, start } = setUp();
    const open = ['a', 'b', 'c'].map((name) => start(name, 70));
    expect(clock.sleeping).toBe(1);
    for (const deadline of open) deadline.release();
    expect(clock.sleeping).toBe(0);
  });

  it('cancel when the outer signal aborts, without counting as expired', () => {
    const { raised, start } = setUp();
    const outer = new AbortController();
    const deadline = start('asked', 10, outer.signal);
    outer.abort();
    expect(raised).toEqual(['asked']);
    expect(deadline.expired).toBe(false);
    expect(deadline.reason).toBeInstanceOf(Error);
  });

  it('call a listener at once that is set after the cancellation', () => {
    const { raised, start } = setUp();
    start('late', 10, AbortSignal.abort());
    expect(raised).toEqual(['late']);
  });
});
