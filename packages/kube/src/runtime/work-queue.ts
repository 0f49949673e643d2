import { type DurationMs, durationMs } from '@karpenter/core/values';
import { type BackoffOptions, backoffDelay } from './backoff.ts';
import type { Clock, Instant } from './clock.ts';
import { DeadlineHeap } from './deadline-heap.ts';
import { type Rate, TokenBucket } from './token-bucket.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** For a key that keeps failing; defaults to 5 ms up to 1,000 s. */
  readonly backoff?: BackoffOptions;
  /** For retries of all keys together; defaults to 10 a second, 100 at once. */
  readonly retries?: Rate;
  readonly observer?: QueueObserver;
}

/** What can be seen of a queue at any time. */
export interface QueueView {
  /** Keys that could be worked on now. */
  readonly depth: number;
  /** Keys that somebody works on, and since when. */
  readonly running: ReadonlyMap<string, Instant>;
}

/** CandidateMessage of what becomes of keys, for metrics. */
export interface QueueObserver {
  opened(queue: QueueView): void;
  /** Not told of a key that waits already. */
  added(): void;
  /** A key is to come back after a time. */
  retried(): void;
  taken(waited: DurationMs): void;
}

export const usualBackoff: BackoffOptions = { initial: durationMs(5), max: durationMs(1_000_000) };
export const usualRetries: Rate = { perSecond: 10, burst: 100 };

/** Given as the reason, since Node would make an error with a stack of its own each time. */
const replaced = new Error('an earlier key came');

/**
 * Keys that wait for work. A key that is added several times before its turn comes is handed out once; one
 * that is added while someone works on it is handed out again afterwards, never twice at the same time.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: BackoffOptions;
  readonly #bucket: TokenBucket;
  readonly #observer: QueueObserver | undefined;
  /** Keys with the time since when they wait. */
  readonly #ready = new Map<string, Instant>();
  readonly #running = new Map<string, Instant>();
  readonly #again = new Map<string, Instant>();
  readonly #delayed = new DeadlineHeap();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #alarm: AbortController | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#backoff = options.backoff ?? usualBackoff;
    this.#bucket = new TokenBucket(options.retries ?? usualRetries, options.clock);
    this.#observer = options.observer;
    this.#observer?.opened(this);
  }

  /** Keys that could be worked on now. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Keys that somebody works on, and since when. */
  get running(): ReadonlyMap<string, Instant> {
    return this.#running;
  }

  add(key: string): void {
    if (this.#closed) return;
    const waiting = this.#running.has(key) ? this.#again : this.#ready;
    if (waiting.has(key)) return;
    waiting.set(key, this.#clock.now());
    this.#observer?.added();
    this.#handOut();
  }

  /** Adds the key after a time. Of several times the earliest counts. */
  addAfter(key: string, delay: DurationMs): void {
    if (this.#closed) return;
    this.#observer?.retried();
    if (delay <= 0) {
      this.add(key);
      return;
    }
    const before = this.#delayed.earliest;
    this.#delayed.set(key, this.#clock.now() + delay);
    if (before === undefined || before !== this.#delayed.earliest) this.#setAlarm();
  }

  /** Adds the key after a wait that grows with each failure until it is forgotten. */
  addFailed(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delay = Math.max(backoffDelay(this.#backoff, failures), this.#bucket.reserve());
    this.addAfter(key, durationMs(delay));
  }

  /** The key's failures no longer count. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, which is the caller's until `done`; nothing when the queue is closed. */
  take(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(undefined);
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  done(key: string): void {
    this.#running.delete(key);
    const since = this.#again.get(key);
    if (since === undefined) return;
    this.#again.delete(key);
    if (this.#closed) return;
    this.#ready.set(key, since);
    this.#handOut();
  }

  /** Hands out nothing more. */
  close(): void {
    this.#closed = true;
    this.#alarm?.abort();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #handOut(): void {
    for (const [key, since] of this.#ready) {
      const taker = this.#takers.shift();
      if (taker === undefined) return;
      const now = this.#clock.now();
      this.#ready.delete(key);
      this.#running.set(key, now);
      this.#observer?.taken(durationMs(now - since));
      taker(key);
    }
  }

  /** One sleep for all delayed keys, replaced when an earlier one comes. */
  #setAlarm(): void {
    this.#alarm?.abort(replaced);
    const earliest = this.#delayed.earliest;
    if (earliest === undefined || this.#closed) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    const delay = durationMs(Math.max(0, earliest - this.#clock.now()));
    void this.#clock.sleep(delay, alarm.signal).then(() => {
      if (!alarm.signal.aborted) this.#wake();
    });
  }

  #wake(): void {
    const now = this.#clock.now();
    for (let key = this.#delayed.takeDue(now); key !== undefined; key = this.#delayed.takeDue(now)) {
      this.add(key);
    }
    this.#setAlarm();
  }
}
