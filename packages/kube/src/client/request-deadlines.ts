import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '../runtime/index.ts';
import type { Cancellation } from './transport.ts';

type Listener = (reason: Error) => void;

/**
 * Deadline of one request. Cancels it when the time is up or
 * the outer signal aborts. The owner must call `release`.
 */
export class RequestDeadline implements Cancellation {
  readonly at: Instant;
  readonly #outer: AbortSignal | undefined;
  readonly #released: (deadline: RequestDeadline) => void;
  #listener: Listener | undefined;
  #reason: Error | undefined;
  #expired = false;

  constructor(at: Instant, outer: AbortSignal | undefined, released: (deadline: RequestDeadline) => void) {
    this.at = at;
    this.#outer = outer;
    this.#released = released;
    if (outer?.aborted === true) this.#onOuterAbort();
    else outer?.addEventListener('abort', this.#onOuterAbort);
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  /** True when the time ran out; false when the outer signal aborted. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Sets the only listener. Calls it at once if the request is cancelled already. */
  onCancel(listener: Listener): void {
    this.#listener = listener;
    if (this.#reason !== undefined) listener(this.#reason);
  }

  expire(): void {
    this.#expired = true;
    this.#raise('the time is up');
  }

  /** Releases the timer and the outer signal. Does not cancel the request. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
    this.#released(this);
  }

  readonly #onOuterAbort = (): void => this.#raise('the request was given up');

  #raise(why: string): void {
    this.#reason ??= new Error(why);
    this.#listener?.(this.#reason);
  }
}

/** Abort reason, created once: without one, `abort()` creates an error with a stack trace each time. */
const notNeeded = new Error('the timer is not needed any more');

/** Deadlines of all open requests on one timer: a timer per request costs more than sending it (ADR 0021). */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #open = new Set<RequestDeadline>();
  #timer: { readonly at: Instant; readonly stop: AbortController } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(timeout: DurationMs, outer?: AbortSignal): RequestDeadline {
    const deadline = new RequestDeadline(this.#clock.now() + timeout, outer, this.#forget);
    this.#open.add(deadline);
    if (this.#timer === undefined || deadline.at < this.#timer.at) this.#wakeAt(deadline.at);
    return deadline;
  }

  /** Stops the timer with the last request, because a pending timer keeps the process alive. */
  readonly #forget = (deadline: RequestDeadline): void => {
    this.#open.delete(deadline);
    if (this.#open.size === 0) this.#stopTimer();
  };

  #stopTimer(): void {
    this.#timer?.stop.abort(notNeeded);
    this.#timer = undefined;
  }

  #wakeAt(at: Instant): void {
    this.#stopTimer();
    const stop = new AbortController();
    this.#timer = { at, stop };
    void this.#clock.sleep(durationMs(Math.max(0, at - this.#clock.now())), stop.signal).then(() => {
      if (!stop.signal.aborted) this.#expireUntil(at);
    });
  }

  #expireUntil(at: Instant): void {
    this.#timer = undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const deadline of [...this.#open]) {
      if (deadline.at > at) next = Math.min(next, deadline.at);
      else if (!deadline.expired) deadline.expire();
    }
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }
}
