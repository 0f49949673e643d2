import { describe, expect, it } from 'vitest';
import { ClusterStore } from '../store/index.ts';
import { ClusterStream, type StreamSource, staleAfterMs } from './cluster-stream.ts';

type Listener = (event: { readonly data?: unknown }) => void;

/** A stream that the test speaks on. */
class HandStream implements StreamSource {
  isClosed = false;
  readonly #listeners = new Map<string, Listener>();

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  say(type: string, data: unknown = undefined): void {
    this.#listeners.get(type)?.({ data: JSON.stringify(data) });
  }
}

/** Timers that run when the test lets time pass. */
class HandTimers {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}

function started() {
  const sources: HandStream[] = [];
  const timers = new HandTimers();
  const store = new ClusterStore((flush) => flush());
  const stream = new ClusterStream({
    store,
    timers,
    open: () => {
      const source = new HandStream();
      sources.push(source);
      return source;
    },
  });
  stream.start();
  const current = () => sources.at(-1) ?? new HandStream();
  return { sources, timers, store, stream, current };
}

const none = { changed: [], removed: [] };
const noRows = { isReset: true, at: 0, nodes: none, pods: none, pools: none };

describe('the stream', () => {
  it('feeds the store, with the clock of the server', () => {
    const { store, current, timers } = started();
    timers.pass(1_000);
    current().say('hello', { cluster: 'dev', version: '1', now: 61_000 });
    current().say('rows', noRows);
    current().say('status', { now: 61_000, isSynced: true, problems: ['nodes cannot be listed'] });
    expect([store.hello?.cluster, store.clockOffset, store.connection]).toEqual(['dev', 60_000, 'live']);
    expect(store.status?.problems).toEqual(['nodes cannot be listed']);
  });

  it('opens again after an error, with growing delays, and starts over once it is heard', () => {
    const { sources, timers, store, current } = started();
    current().say('rows', noRows);
    const delays: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const before = timers.now();
      const opened = sources.length;
      current().say('error');
      expect(store.connection).toBe('lost');
      while (sources.length === opened) timers.pass(100);
      delays.push(timers.now() - before);
    }
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    current().say('rows', noRows);
    current().say('error');
    timers.pass(500);
    expect(sources).toHaveLength(9);
  });

  it('opens again when the server is silent for too long', () => {
    const { sources, timers, store, stream, current } = started();
    current().say('rows', noRows);
    timers.pass(staleAfterMs - 1);
    expect([sources.length, store.connection]).toEqual([1, 'live']);
    timers.pass(600);
    expect(sources[0]?.isClosed).toBe(true);
    expect([sources.length, store.connection]).toEqual([2, 'lost']);
    expect(stream.silence).toBeGreaterThan(staleAfterMs);
  });

  it('stays open while a status comes now and then', () => {
    const { sources, timers, current } = started();
    for (let count = 0; count < 20; count += 1) {
      timers.pass(10_000);
      current().say('status', { now: 0, isSynced: true, problems: [] });
    }
    expect(sources).toHaveLength(1);
  });

  it('ignores what a closed stream still says', () => {
    const { sources, timers, store } = started();
    sources[0]?.say('error');
    timers.pass(1_000);
    sources[0]?.say('hello', { cluster: 'old', version: '1', now: 0 });
    sources[0]?.say('error');
    expect(store.hello).toBeUndefined();
    expect(sources).toHaveLength(2);
  });
});
