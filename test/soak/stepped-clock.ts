import type { DurationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/** The clock of a host whose time of day is set forward and back. Its monotonic time is not affected. */
export class SteppedClock implements Clock {
  readonly #clock: Clock;
  #offset = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets the time of day so far from the true one, in milliseconds. */
  step(offset: number): void {
    this.#offset = offset;
  }

  now(): Instant {
    return this.#clock.now() + this.#offset;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(duration, signal);
  }
}
