import type { Steps } from '@karpenter/core/yielding';
import { type SliceClock, TimeSlice, YieldBudget } from '@karpenter/kube/yielding';
import { StatusError } from '../status/status-error.ts';

/** kube-apiserver's limit on a request that writes. */
const timeoutMs = 34_000;

/**
 * Runs the stages of requests and yields to the event loop between them. Stages whose work grows with more than the
 * object run in steps, and yield between those too (ADR 0066). All requests share one budget, so that many together do
 * not block the event loop for longer than one.
 *
 * Another request may write during a yield. A write therefore compares the stored object with the one it started from,
 * and stores without a yield in between.
 */
export class RequestWork {
  readonly #clock: SliceClock;
  readonly #budget: YieldBudget;

  constructor(clock: SliceClock) {
    this.#clock = clock;
    this.#budget = new YieldBudget(clock);
  }

  /** Runs one stage when the yield budget has room for it. */
  run<T>(stage: () => T | Promise<T>): Promise<T> {
    return this.#budget.run(stage);
  }

  /** Runs a stage in steps. Throws 504 after the timeout of a request. */
  async runSteps<T>(steps: Steps<T>): Promise<T> {
    const end = this.#clock.monotonic() + timeoutMs;
    for (;;) {
      const { done, value } = await this.#budget.run(() => this.#advance(steps));
      if (done) return value;
      if (this.#clock.monotonic() > end) throw timeout();
    }
  }

  /** Takes steps for one time slice, or to their end. */
  #advance<T>(steps: Steps<T>): IteratorResult<void, T> {
    const slice = new TimeSlice(this.#clock);
    for (;;) {
      const result = slice.run(() => steps.next());
      if (result.done || slice.isOver) return result;
    }
  }
}

function timeout(): StatusError {
  const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded';
  return new StatusError(504, 'Timeout', message, {});
}
