import type { DurationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/**
 * The clock of the account. A task that is overdue, because the process was down or busy, runs as of its due
 * time: an instance due to terminate two hours ago has been terminated for two hours, and everything that
 * follows is scheduled from then.
 */
export class AccountClock implements Clock {
  readonly #clock: Clock;
  #pinned: Instant | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    return this.#pinned ?? this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(duration, signal);
  }

  /** Runs `act` with `now()` fixed to that time. `act` must be synchronous. */
  pinnedTo(at: Instant, act: () => void): void {
    this.#pinned = at;
    try {
      act();
    } finally {
      this.#pinned = undefined;
    }
  }
}
