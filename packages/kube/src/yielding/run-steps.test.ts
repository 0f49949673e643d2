import type { StepSignal, Steps } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { runSteps, runStepsUntilAborted, runStepsWithin } from './run-steps.ts';

/** So many steps of 4 ms each, on a clock that advances with them. */
function work(count: number) {
  let now = 0;
  const signals: StepSignal[] = [];
  function* make(): Steps<string> {
    for (let step = 0; step < count; step += 1) {
      now += 4;
      const signal = yield;
      signals.push(signal);
      if (signal === 'stop') return 'cut short';
    }
    return 'complete';
  }
  return { clock: { now: () => now, monotonic: () => now }, signals, steps: make() };
}

/** Runs of steps between which other work had its chance. */
async function sliceLengths(signals: readonly unknown[], running: Promise<unknown>): Promise<number[]> {
  const lengths: number[] = [];
  let before = 0;
  let isDone = false;
  const watch = () => {
    if (signals.length > before) lengths.push(signals.length - before);
    before = signals.length;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await running;
  isDone = true;
  return lengths;
}

describe('runSteps', () => {
  it('yields to the event loop whenever five milliseconds are over', async () => {
    const { clock, steps, signals } = work(100);
    let yields = 0;
    const onYield = () => {
      yields += 1;
    };
    const lengths = await sliceLengths(signals, runSteps(steps, { clock, onYield }));
    expect(yields).toBe(50);
    expect(Math.max(...lengths)).toBe(2);
  });

  it('yields also while the wall clock is set back', async () => {
    const { clock, steps, signals } = work(100);
    let wall = 1_000_000;
    const now = () => {
      wall -= 1_000;
      return wall;
    };
    const setBack = { ...clock, now };
    const lengths = await sliceLengths(signals, runSteps(steps, { clock: setBack }));
    expect(Math.max(...lengths)).toBe(2);
  });

  it('lets others run before the first step', async () => {
    const { clock, steps, signals } = work(3);
    const seenByOthers = new Promise((resolve) => setImmediate(() => resolve(signals.length)));
    const running = runSteps(steps, { clock });
    expect(await seenByOthers).toBe(0);
    expect(await running).toBe('complete');
  });

  it('stops at the deadline and returns what is decided by then', async () => {
    const { clock, steps, signals } = work(100);
    expect(await runSteps(steps, { clock, deadline: 100 })).toBe('cut short');
    expect(signals).toHaveLength(25);
  });

  it('stops when the signal aborts', async () => {
    const { clock, steps } = work(100);
    const ended = new AbortController();
    const { signal } = ended;
    expect(await runSteps(steps, { clock, signal, onYield: () => ended.abort() })).toBe('cut short');
  });

  it('rejects with what a step throws', async () => {
    // biome-ignore lint/correctness/useYield: fails before its first step ends
    const failing = (function* (): Steps<void> {
      throw new Error('failed');
    })();
    await expect(runSteps(failing, work(0))).rejects.toThrow('failed');
  });
});

describe('runStepsUntilAborted', () => {
  it('yields to the event loop whenever five milliseconds are over, and has no deadline', async () => {
    const { clock, steps, signals } = work(100);
    const { signal } = new AbortController();
    const running = runStepsUntilAborted(steps, { clock, signal });
    expect(Math.max(...(await sliceLengths(signals, running)))).toBe(2);
    expect(await running).toBe('complete');
  });

  it('gives up without a result when the signal aborts', async () => {
    const { clock, steps, signals } = work(100);
    const ended = new AbortController();
    const running = runStepsUntilAborted(steps, { clock, signal: ended.signal });
    setImmediate(() => setImmediate(() => ended.abort()));
    expect(await running).toBeUndefined();
    expect(signals.length).toBeLessThan(10);
    expect(signals).not.toContain('stop');
  });

  it('does no step after an abort that came first', async () => {
    const { clock, steps, signals } = work(100);
    const running = runStepsUntilAborted(steps, { clock, signal: AbortSignal.abort() });
    expect(await running).toBeUndefined();
    expect(signals).toEqual([]);
  });
});

describe('runStepsWithin', () => {
  it('runs steps that end in time, without a signal to stop, and yields after each time slice', async () => {
    const { clock, signals, steps } = work(25);
    const running = runStepsWithin(100, steps, clock);
    expect(await sliceLengths(signals, running)).toEqual([1, ...Array.from({ length: 11 }, () => 2)]);
    expect(await running).toBe('complete');
    expect(signals).toEqual(Array.from({ length: 25 }, () => undefined));
  });

  it('gives up steps that take longer', async () => {
    const { clock, signals, steps } = work(26);
    expect(await runStepsWithin(100, steps, clock)).toBeUndefined();
    expect(signals).toHaveLength(25);
  });
});
