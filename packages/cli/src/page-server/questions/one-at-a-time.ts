import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { HttpRefusal } from '../http/index.ts';

/** Whoever goes from one object to the next asks again before the last answer is there. */
const maxWaiting = 4;

/**
 * Limits work that takes long: one at a time, a few wait for it, and nobody waits longer than the limit. Work that takes
 * longer goes on and still keeps others waiting, since it cannot be stopped; work that nobody waits for any more is not
 * begun.
 */
export class OneAtATime {
  readonly #clock: Clock;
  readonly #limit: DurationMs;
  #last: Promise<unknown> = Promise.resolve();
  #unanswered = 0;

  constructor(clock: Clock, limit: DurationMs) {
    this.#clock = clock;
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#unanswered > maxWaiting)
      throw new HttpRefusal(503, 'other questions are being answered; ask again when they are', {
        code: 'page-busy',
      });
    this.#unanswered += 1;
    const tooLate = new HttpRefusal(
      504,
      `the answer takes longer than ${this.#limit / 1000} s; ask for less, or run karpenter simulate`,
      { code: 'page-busy' },
    );
    let isLate = false;
    const answered = new AbortController();
    const answer = this.#last
      .then(() => {
        if (isLate) throw tooLate;
        return work();
      })
      .finally(() => {
        this.#unanswered -= 1;
        answered.abort();
      });
    this.#last = answer.catch(() => undefined);
    const late = this.#clock.sleep(this.#limit, answered.signal).then(() => {
      if (answered.signal.aborted) return answer;
      isLate = true;
      throw tooLate;
    });
    return Promise.race([answer, late]);
  }
}
