import { setImmediate } from 'node:timers/promises';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

interface Sleeper {
  readonly at: Instant;
  readonly wake: () => void;
}

/** A clock that stands still until a test turns it. */
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

  /** When the next sleeper wakes, if anyone sleeps. */
  get nextWake(): Instant | undefined {
    return this.#first()?.at;
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /**
   * Turns the clock forward. Sleepers wake one by one, each at its own time, and what they do then is done
   * before the next wakes, so that a loop that sleeps again and again wakes as often as it would.
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
   * The clock jumps, as when a machine was suspended: whoever should have woken meanwhile wakes once, late. For long
   * times in which loops that tick every minute would only cost time.
   */
  async leap(duration: DurationMs | number): Promise<void> {
    this.#now += duration;
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= this.#now) sleeper.wake();
    await settle();
  }

  /** Turns the clock to the moment the next sleeper wakes; whether there was one. */
  async advanceToNext(): Promise<boolean> {
    await settle();
    const next = this.nextWake;
    if (next !== undefined) await this.advance(durationMs(next - this.#now));
    return next !== undefined;
  }

  #first(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (first === undefined || sleeper.at < first.at) first = sleeper;
    return first;
  }
}

/** Lets promises that are due, and what follows from them, run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
