import { setImmediate } from 'node:timers/promises';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/** Lets the rest of the process run between pieces of work that come by the thousand: leases must be renewed meanwhile. */
export class TimeSlices {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #length: DurationMs;
  #began: Instant = 0;
  #next: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'now'>, length: DurationMs) {
    this.#clock = clock;
    this.#length = length;
  }

  /** Does the work when there is time for it. It is done at once after the question, before another asks. */
  async run<T>(work: () => T): Promise<T> {
    while (this.#clock.now() - this.#began >= this.#length) {
      this.#next ??= this.#begin();
      await this.#next;
    }
    return work();
  }

  async #begin(): Promise<void> {
    await setImmediate();
    this.#began = this.#clock.now();
    this.#next = undefined;
  }
}
