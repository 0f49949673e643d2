import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

/** Work that ends when the test says so. */
function started() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

describe('questions that take long', () => {
  it('are answered one after the other', async () => {
    const turn = new OneAtATime(new VirtualClock(), durationMs(60_000));
    const { begun, work, end } = started();
    const [first, second] = [turn.run(work('first')), turn.run(work('second'))];
    await Promise.resolve();
    expect(begun).toEqual(['first']);
    end('first');
    expect(await first).toBe('first');
    await expect.poll(() => begun).toEqual(['first', 'second']);
    end('second');
    expect(await second).toBe('second');
  });

  it('are refused when too many wait', async () => {
    const turn = new OneAtATime(new VirtualClock(), durationMs(60_000));
    const { work } = started();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void turn.run(work(name));
    await expect(turn.run(work('f'))).rejects.toThrow('other questions are being answered');
  });

  it('are given up after the limit, and not begun then', async () => {
    const clock = new VirtualClock();
    const turn = new OneAtATime(clock, durationMs(60_000));
    const { begun, work, end } = started();
    const asked = [turn.run(work('first')), turn.run(work('second'))];
    const outcomes = Promise.allSettled(asked);
    await clock.advance(60_000);
    const tooLong = { status: 'rejected', reason: { message: expect.stringContaining('longer than 60 s') } };
    expect(await outcomes).toMatchObject([tooLong, tooLong]);
    end('first');
    const third = turn.run(work('third'));
    await expect.poll(() => begun).toEqual(['first', 'third']);
    end('third');
    expect(await third).toBe('third');
  });
});
