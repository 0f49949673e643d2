import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { HttpRefusal } from '../http/index.ts';

/**
 * Limits work that takes long: one at a time, and none is waited for longer than the limit. Work that takes longer goes
 * on and still keeps others out, since it cannot be stopped.
 */
export class OneAtATime {
  readonly #clock: Clock;
  readonly #limit: DurationMs;
  #isBusy = false;

  constructor(clock: Clock, limit: DurationMs) {
    this.#clock = clock;
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy)
      throw new HttpRefusal(503, 'another question is being answered; ask again when it is', {
        code: 'page-busy',
      });
    this.#isBusy = true;
    const answered = new AbortController();
    const answer = work().finally(() => {
      this.#isBusy = false;
      answered.abort();
    });
    const late = this.#clock.sleep(this.#limit, answered.signal).then(() => {
      if (answered.signal.aborted) return answer;
      throw new HttpRefusal(
        504,
        `the answer takes longer than ${this.#limit / 1000} s; ask for less, or run karpenter simulate`,
        { code: 'page-busy' },
      );
    });
    return Promise.race([answer, late]);
  }
}
