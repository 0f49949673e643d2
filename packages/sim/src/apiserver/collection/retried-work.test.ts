import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../status/status-error.ts';
import { RetriedWork } from './retried-work.ts';

function retried() {
  const clock = new VirtualClock();
  const errors: unknown[] = [];
  return { clock, errors, work: new RetriedWork({ clock, onError: (error) => errors.push(error) }) };
}

/** Starts after so many turns of the microtask queue. */
async function startAfter(turns: number, start: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
  start();
}

describe('RetriedWork', () => {
  it('retries with growing backoff and reports each failure', async () => {
    const { clock, errors, work } = retried();
    const times: number[] = [];
    const begin = clock.now();
    work.start('a', async () => {
      times.push(clock.now() - begin);
      if (times.length < 4) throw new Error('the webhook refuses');
    });
    await clock.advance(10_000);
    expect(times).toEqual([0, 100, 300, 700]);
    expect(errors).toHaveLength(3);
  });

  it('retries a race with another writer without reporting it', async () => {
    const { clock, errors, work } = retried();
    let runs = 0;
    work.start('a', async () => {
      runs += 1;
      if (runs === 1) throw new StatusError(409, 'AlreadyExists', 'configmaps "a" already exists');
    });
    await clock.advance(1_000);
    expect({ runs, errors }).toEqual({ runs: 2, errors: [] });
  });

  it('runs again however soon after its end it is started', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const { clock, work } = retried();
      let runs = 0;
      const run = async () => {
        runs += 1;
      };
      work.start('a', async () => {
        await run();
        void startAfter(turns, () => work.start('a', run));
      });
      await clock.advance(1_000);
      expect({ turns, runs }).toEqual({ turns, runs: 2 });
    }
  });

  it('runs once at a time per name, and once more when started meanwhile', async () => {
    const { clock, work } = retried();
    const finish: (() => void)[] = [];
    let runs = 0;
    const start = () =>
      work.start('a', async () => {
        runs += 1;
        await new Promise<void>((resolve) => finish.push(resolve));
      });
    start();
    await clock.advance(0);
    start();
    start();
    await clock.advance(0);
    expect(runs).toBe(1);
    finish[0]?.();
    await clock.advance(0);
    expect(runs).toBe(2);
    finish[1]?.();
    await clock.advance(10_000);
    expect(runs).toBe(2);
  });

  it('ends with the server', async () => {
    const { clock, work } = retried();
    let runs = 0;
    work.start('a', async () => {
      runs += 1;
      throw new Error('never');
    });
    await setImmediate();
    await clock.advance(0);
    await work.stop();
    work.start('b', async () => {
      runs += 1;
    });
    await clock.advance(100_000);
    expect(runs).toBe(1);
  });
});
