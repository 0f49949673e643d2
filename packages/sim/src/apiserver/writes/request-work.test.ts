import type { Steps } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { RequestWork } from './request-work.ts';

/** Work on a clock that advances only with it: steps of 4 ms each. */
function setUp() {
  let now = 0;
  const work = new RequestWork({ monotonic: () => now });
  const pass = (ms: number) => {
    now += ms;
  };
  function* steps(count: number): Steps<string> {
    for (let step = 0; step < count; step += 1) {
      pass(4);
      yield;
    }
    return 'complete';
  }
  return { work, pass, steps };
}

/** Iterations of the event loop until the promise settles, in which other clients are answered. */
async function iterations(running: Promise<unknown>): Promise<number> {
  let count = 0;
  const tick = () => {
    count += 1;
    ticking = setImmediate(tick);
  };
  let ticking = setImmediate(tick);
  await running.catch(() => undefined);
  clearImmediate(ticking);
  return count;
}

describe('the work of requests', () => {
  it('lets other clients run whenever steps have taken five milliseconds', async () => {
    const { work, steps } = setUp();
    const running = work.runSteps(steps(100));
    expect(await iterations(running)).toBeGreaterThanOrEqual(49);
    expect(await running).toBe('complete');
  });

  it('lets other clients run between two long stages', async () => {
    const { work, pass } = setUp();
    const stages = async () => {
      await work.run(() => pass(100));
      await work.run(() => pass(100));
      await work.run(() => pass(100));
    };
    expect(await iterations(stages())).toBeGreaterThanOrEqual(2);
  });

  it('keeps short requests within one iteration of the event loop', async () => {
    const { work, pass } = setUp();
    const stages = async () => {
      for (const ms of [1, 1, 1]) await work.run(() => pass(ms));
    };
    expect(await iterations(stages())).toBe(0);
  });

  it('ends a request that takes longer than a write may, as the API server does', async () => {
    const { work, steps } = setUp();
    await expect(work.runSteps(steps(10_000))).rejects.toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    });
  });
});
