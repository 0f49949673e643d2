import { setImmediate } from 'node:timers/promises';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Controller } from './controller.ts';
import { type Reconciled, runController, runSingleton } from './controller-runner.ts';
import { atStart, type Enqueue, type Source } from './source.ts';

function setUp(controller: Partial<Controller> & Pick<Controller, 'reconcile'>, ready?: Source['ready']) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const outcomes: Reconciled[] = [];
  let enqueue: Enqueue = () => undefined;
  let isStarted = false;
  const source: Source = {
    start(add) {
      enqueue = add;
      isStarted = true;
      return () => {
        isStarted = false;
      };
    },
    ...(ready === undefined ? {} : { ready }),
  };
  const ended = runController(
    { name: 'tested', ...controller },
    { clock, signal: stop.signal, sources: [source], onReconciled: (outcome) => outcomes.push(outcome) },
  );
  onTestFinished(() => stop.abort());
  return { clock, stop, outcomes, ended, add: (key: string) => enqueue(key), isStarted: () => isStarted };
}

describe('a controller', () => {
  it('reconciles the keys that its sources add', async () => {
    const seen: string[] = [];
    const { clock, add, outcomes } = setUp({
      async reconcile(key) {
        seen.push(key);
        return undefined;
      },
    });
    add('a');
    add('b');
    add('a');
    await clock.advance(0);
    expect(seen).toEqual(['a', 'b']);
    expect(outcomes).toMatchObject([
      { controller: 'tested', key: 'a', result: 'success' },
      { controller: 'tested', key: 'b', result: 'success' },
    ]);
  });

  it('yields to the event loop between reconciles that do not wait for I/O', async () => {
    let done = 0;
    const { add } = setUp({
      async reconcile() {
        done += 1;
        return undefined;
      },
    });
    for (let key = 0; key < 1_000; key += 1) add(String(key));
    const doneByTurn: number[] = [];
    while (done < 1_000) {
      await setImmediate();
      doneByTurn.push(done);
    }
    expect(doneByTurn.length).toBeGreaterThan(10);
  });

  it('starts to reconcile only when its sources are ready', async () => {
    const seen: string[] = [];
    let open = () => undefined as undefined;
    const ready = new Promise<void>((resolve) => {
      open = () => void resolve();
    });
    const { clock, add } = setUp({ reconcile: async (key) => void seen.push(key) as undefined }, () => ready);
    add('a');
    await clock.advance(1000);
    expect(seen).toEqual([]);
    open();
    await clock.advance(0);
    expect(seen).toEqual(['a']);
  });

  it('reconciles up to its concurrency at once, never the same key twice', async () => {
    const running: string[] = [];
    let most = 0;
    const { clock, add } = setUp({
      concurrency: 3,
      async reconcile(key) {
        expect(running).not.toContain(key);
        running.push(key);
        most = Math.max(most, running.length);
        await clock.sleep(durationMs(10));
        running.splice(running.indexOf(key), 1);
        return undefined;
      },
    });
    for (let round = 0; round < 5; round += 1) {
      for (const key of ['a', 'b', 'c', 'd', 'e']) add(key);
      await clock.advance(5);
    }
    await clock.advance(1000);
    expect(most).toBe(3);
  });

  it('retries with growing backoff after a throw, and resets it on success', async () => {
    const times: number[] = [];
    const { clock, add, outcomes } = setUp({
      async reconcile() {
        times.push(clock.now());
        if (times.length < 4) throw new Error('not yet');
        return undefined;
      },
    });
    add('a');
    await clock.advance(10_000);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 5, 15, 35]);
    expect(outcomes.map(({ result }) => result)).toEqual(['error', 'error', 'error', 'success']);
    expect(outcomes[0]?.error).toMatchObject({ message: 'not yet' });
  });

  it('requeues after the requested delay, or earlier when a source adds the key', async () => {
    const times: number[] = [];
    const { clock, add } = setUp({
      async reconcile() {
        times.push(clock.now());
        return { requeueAfter: durationMs(60_000) };
      },
    });
    add('a');
    const start = clock.now();
    await clock.advance(60_000);
    await clock.advance(30_000);
    add('a');
    await clock.advance(30_000);
    expect(times.map((time) => time - start)).toEqual([0, 60_000, 90_000, 120_000]);
  });

  it('awaits running reconciles when it stops, and starts no new ones', async () => {
    const log: string[] = [];
    const { clock, add, stop, ended, isStarted } = setUp({
      async reconcile(key, signal) {
        log.push(`${key} begins`);
        await clock.sleep(durationMs(1000));
        log.push(`${key} ends${signal.aborted ? ' in a hurry' : ''}`);
        return undefined;
      },
    });
    add('a');
    add('b');
    await clock.advance(500);
    stop.abort();
    await clock.advance(1000);
    await ended;
    expect(log).toEqual(['a begins', 'a ends in a hurry']);
    expect(isStarted()).toBe(false);
  });

  it('does not start when its signal has aborted already', async () => {
    const seen: string[] = [];
    const controller = {
      name: 'tested',
      async reconcile(key: string) {
        seen.push(key);
        return undefined;
      },
    };
    const sources = [atStart('a')];
    await runController(controller, { clock: new VirtualClock(), signal: AbortSignal.abort(), sources });
    expect(seen).toEqual([]);
  });

  it('stops while it waits for its sources to become ready', async () => {
    const ready = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { stop, ended } = setUp({ reconcile: async () => undefined }, ready);
    stop.abort();
    await ended;
  });
});

describe('a singleton', () => {
  it('runs at the start and then after each requested delay', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const times: number[] = [];
    const ended = runSingleton(
      {
        name: 'loop',
        async reconcile() {
          times.push(clock.now());
          if (times.length === 2) throw new Error('once');
          return { requeueAfter: durationMs(10_000) };
        },
      },
      { clock, signal: stop.signal },
    );
    const start = clock.now();
    await clock.advance(20_005);
    stop.abort();
    await ended;
    expect(times.map((time) => time - start)).toEqual([0, 10_000, 10_005, 20_005]);
  });
});
