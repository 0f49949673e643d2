import type { Steps } from '@karpenter/core/yielding';
import { type SliceClock, TimeSlice, YieldBudget } from '@karpenter/kube/yielding';
import { StatusError } from '../status/status-error.ts';

/** kube-apiserver's limit on a request that writes. */
const timeoutMs = 34_000;

/**
 * The work of requests, in pieces between which other clients are answered: stages of a request, and steps of
 * those stages whose work grows with more than the object. All requests share one budget, so that many of them
 * together do not block longer than one.
 *
 * Another request may write between two pieces. A write therefore compares the stored object with the one that
 * it started from before it stores, in the same piece.
 */
export class RequestWork {
  readonly #clock: SliceClock;
  readonly #budget: YieldBudget;

  constructor(clock: SliceClock) {
    this.#clock = clock;
    this.#budget = new YieldBudget(clock);
  }

  /** Runs one stage when the stages before it leave time for it. */
  run<T>(stage: () => T | Promise<T>): Promise<T> {
    return this.#budget.run(stage);
  }

  /** Runs a stage in steps. Throws 504 when it takes longer than a request may. */
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
