import type { Plan, PlanSignal } from '@karpenter/core/scheduling';
import { describe, expect, it } from 'vitest';
import { slicedPlan } from './sliced-plan.ts';

const plan: Plan = {
  revision: 1,
  placements: [],
  newNodes: [],
  rejections: [],
  deferred: [],
  unevaluated: [],
};

/** A plan of so many steps of 4 ms each, on a clock that advances with them. */
function work(count: number) {
  let now = 0;
  const signals: PlanSignal[] = [];
  function* steps(): Generator<void, Plan, PlanSignal> {
    for (let step = 0; step < count; step += 1) {
      now += 4;
      const signal = yield;
      signals.push(signal);
      if (signal === 'stop') return { ...plan, unevaluated: ['late'] };
    }
    return plan;
  }
  return { clock: { now: () => now }, signals, steps: steps() };
}

describe('slicedPlan', () => {
  it('yields to the event loop every five milliseconds', async () => {
    const { clock, steps } = work(100);
    let yields = 0;
    let pauses = 0;
    const onPause = () => {
      pauses += 1;
      setImmediate(() => {
        yields += 1;
      });
    };
    await slicedPlan(steps, { clock, deadline: 1e9, onPause });
    expect(pauses).toBe(50);
    expect(yields).toBe(pauses);
  });

  it('stops at the deadline and returns what is decided by then', async () => {
    const { clock, steps, signals } = work(100);
    const { unevaluated } = await slicedPlan(steps, { clock, deadline: 100 });
    expect(unevaluated).toEqual(['late']);
    expect(signals).toHaveLength(25);
  });

  it('stops when the signal aborts', async () => {
    const { clock, steps } = work(100);
    const ended = new AbortController();
    const made = slicedPlan(steps, {
      clock,
      deadline: 1e9,
      signal: ended.signal,
      onPause: () => ended.abort(),
    });
    expect((await made).unevaluated).toEqual(['late']);
  });
});
