import type { DurationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

/**
 * The time of the account. What is overdue, because the process was down or busy, happens at the time it was due at:
 * an instance that was to end two hours ago has ended two hours ago, and what follows from that follows from then.
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

  /** Does something as if it were that time. */
  pinnedTo(at: Instant, act: () => void): void {
    this.#pinned = at;
    try {
      act();
    } finally {
      this.#pinned = undefined;
    }
  }
}
