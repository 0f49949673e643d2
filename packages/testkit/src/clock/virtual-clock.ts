import { setImmediate } from 'node:timers/promises';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

interface Sleeper {
  readonly at: Instant;
  readonly wake: () => void;
}

/** A clock that stands still until a test advances it. */
export class VirtualClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  readonly #start: Instant;
  #now: Instant;

  constructor(start: Instant = Date.UTC(2026, 0, 1)) {
    this.#start = start;
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true || duration <= 0) return resolve();
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + duration, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /** The time at which the next sleeper wakes; undefined if there is none. */
  get nextWake(): Instant | undefined {
    return this.#first()?.at;
  }

  /** Number of pending sleeps. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /**
   * Advances the clock. Sleepers wake one at a time, each at its own time, and the work of one settles before
   * the next wakes. A loop that sleeps repeatedly therefore wakes as often as it would in real time.
   */
  async advance(duration: DurationMs | number): Promise<void> {
    const end = this.#now + duration;
    await settle();
    for (let first = this.#first(); first !== undefined && first.at <= end; first = this.#first()) {
      this.#now = first.at;
      first.wake();
      await settle();
    }
    this.#now = end;
  }

  /**
   * Jumps ahead, as after a suspended machine resumes: every sleeper that became due wakes once, late. For
   * long periods in which loops that tick every minute would only cost time.
   */
  async leap(duration: DurationMs | number): Promise<void> {
    this.#now += duration;
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= this.#now) sleeper.wake();
    await settle();
  }

  /** Advances to the time at which the next sleeper wakes; false if nothing sleeps. */
  async advanceToNext(): Promise<boolean> {
    await settle();
    const next = this.nextWake;
    if (next !== undefined) await this.advance(durationMs(next - this.#now));
    return next !== undefined;
  }

  /** Advances in steps until the work ends, which may sleep more than once on the way. */
  async advanceUntil<T>(work: Promise<T>, step: DurationMs | number): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    // Handled at once: a failure while the clock advances is for the caller, not for the process.
    ended.catch(() => undefined);
    while (!isOver) await this.advance(step);
    return ended;
  }

  #first(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (first === undefined || sleeper.at < first.at) first = sleeper;
    return first;
  }
}

/** Lets due promises and their continuations run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
