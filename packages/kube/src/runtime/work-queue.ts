import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '../clock/index.ts';
import { type Rate, TokenBucket } from '../clock/index.ts';
import { type BackoffOptions, backoffDelay } from './backoff.ts';
import { DeadlineHeap } from './deadline-heap.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Backoff per failing key. Defaults to 5 ms up to 1,000 s, as in controller-runtime. */
  readonly backoff?: BackoffOptions;
  /** Rate limit on the retries of all keys together. Defaults to 10 per second with a burst of 100. */
  readonly retries?: Rate;
  readonly observer?: QueueObserver;
}

/** Live view of a queue, read by gauges when they are scraped. */
export interface QueueView {
  /** Number of keys that are ready and wait for a worker. */
  readonly depth: number;
  /** Keys that a worker reconciles now, with the time it took them. */
  readonly running: ReadonlyMap<string, Instant>;
}

/** Receives the queue's events for metrics. Its methods must not throw. */
export interface QueueObserver {
  /** Called once, when the queue is created. */
  opened(queue: QueueView): void;
  /** Called when a key is added; not for a key that is queued already. */
  added(): void;
  /** Called when a key is requeued: after a failure, or with a delay. */
  retried(): void;
  /** Called when a worker takes a key, with the time the key was queued. */
  taken(waited: DurationMs): void;
}

/**
 * The defaults of controller-runtime's rate limiter: exponential per key, and one token bucket over all keys.
 */
export const defaultBackoff: BackoffOptions = { initial: durationMs(5), max: durationMs(1_000_000) };
const defaultRetryRate: Rate = { perSecond: 10, burst: 100 };

/** Abort reason, created once: without one, `abort()` creates an error with a stack trace each time. */
const replaced = new Error('an earlier key came');

/**
 * Queue of keys to reconcile, with the semantics of client-go's workqueue. A key that is added several times
 * before a worker takes it is handed out once. A key that is added while a worker has it is handed out again
 * after `done`, so that two workers never have the same key.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: BackoffOptions;
  readonly #bucket: TokenBucket;
  readonly #observer: QueueObserver | undefined;
  /** Keys to hand out, in order, with the time they were added. */
  readonly #ready = new Map<string, Instant>();
  /**
   * Continues after the key that was handed out last. A new iterator for each key would be quadratic for a queue of
   * many thousand keys, because a Map keeps the slots of deleted entries for a while and iterators walk over them.
   */
  #unread = this.#ready.entries();
  readonly #running = new Map<string, Instant>();
  /** Running keys that were added again meanwhile, with the time of that. */
  readonly #again = new Map<string, Instant>();
  readonly #delayed = new DeadlineHeap();
  /** Consecutive failures per key. */
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #alarm: AbortController | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#backoff = options.backoff ?? defaultBackoff;
    this.#bucket = new TokenBucket(options.retries ?? defaultRetryRate, options.clock);
    this.#observer = options.observer;
    this.#observer?.opened(this);
  }

  /** Number of keys that are ready and wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Keys that a worker has now, with the time it took them. */
  get running(): ReadonlyMap<string, Instant> {
    return this.#running;
  }

  /** Adds a key. Does nothing when the key is queued already or the queue is closed. */
  add(key: string): void {
    if (this.#closed) return;
    const waiting = this.#running.has(key) ? this.#again : this.#ready;
    if (waiting.has(key)) return;
    waiting.set(key, this.#clock.now());
    this.#observer?.added();
    this.#handOut();
  }

  /** Adds the key after a delay. Of several delays of one key the earliest counts. */
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

  /**
   * Adds the key with a backoff that doubles with each call
   * until `forget`. The rate limit may delay it further.
   */
  addFailed(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delay = Math.max(backoffDelay(this.#backoff, failures), this.#bucket.reserve());
    this.addAfter(key, durationMs(delay));
  }

  /** Resets the failure count of a key; called after a successful reconcile. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /**
   * Waits for the next key. The caller owns it until it calls
   * `done`. Resolves to `undefined` once the queue is closed.
   */
  take(): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(undefined);
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  /** Releases a key. Requeues it if it was added meanwhile. */
  done(key: string): void {
    this.#running.delete(key);
    const since = this.#again.get(key);
    if (since === undefined) return;
    this.#again.delete(key);
    if (this.#closed) return;
    this.#ready.set(key, since);
    this.#handOut();
  }

  /** Stops the queue: pending and later `take` calls resolve to `undefined`, and added keys are ignored. */
  close(): void {
    this.#closed = true;
    this.#alarm?.abort();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #handOut(): void {
    while (this.#takers.length > 0) {
      const next = this.#nextReady();
      if (next === undefined) return;
      const [key, since] = next;
      const now = this.#clock.now();
      this.#ready.delete(key);
      this.#running.set(key, now);
      this.#observer?.taken(durationMs(now - since));
      this.#takers.shift()?.(key);
    }
  }

  #nextReady(): [string, Instant] | undefined {
    if (this.#ready.size === 0) return undefined;
    const { value } = this.#unread.next();
    if (value !== undefined) return value;
    // A Map iterator that has reached the end does not see entries that are added later.
    this.#unread = this.#ready.entries();
    return this.#unread.next().value;
  }

  /**
   * Sleeps until the earliest delayed key is due. One timer
   * serves all delayed keys; an earlier key replaces it.
   */
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
