import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { Cancellation } from './transport.ts';

type Listener = (reason: Error) => void;

/** Until when a request may take; also ended by whoever asked for it. Must be released when the work is done. */
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
    if (outer?.aborted === true) this.#giveUp();
    else outer?.addEventListener('abort', this.#giveUp);
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The time ran out, as opposed to someone else giving up. */
  get expired(): boolean {
    return this.#expired;
  }

  onCancel(listener: Listener): void {
    this.#listener = listener;
    if (this.#reason !== undefined) listener(this.#reason);
  }

  expire(): void {
    this.#expired = true;
    this.#raise('the time is up');
  }

  /** Lets go of the timer and of the outer signal; raises nothing. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#giveUp);
    this.#released(this);
  }

  readonly #giveUp = (): void => this.#raise('the request was given up');

  #raise(why: string): void {
    this.#reason ??= new Error(why);
    this.#listener?.(this.#reason);
  }
}

/** Given as the reason, since Node would make an error with a stack of its own each time. */
const notNeeded = new Error('the timer is not needed any more');

/** The deadlines of all requests under way, on one timer: one for each would cost more than sending the request. */
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

  /** No timer is left behind: it would keep a process from ending. */
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
