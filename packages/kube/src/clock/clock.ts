import type { DurationMs } from '@karpenter/core/values';

/** A moment, in milliseconds since 1970 as `Date` counts them. */
export type Instant = number;

/**
 * The only source of time. Whoever waits, waits here, so that tests can turn the clock by hand.
 */
export interface Clock {
  now(): Instant;
  /**
   * Milliseconds since some moment in the past. Unlike `now` it is never set back or forward, and it counts on while the
   * process is stopped: deadlines that keep two processes apart go by it.
   */
  monotonic(): number;
  /** Resolves after the time, or at once when the signal aborts: whoever sleeps asks the signal afterwards. */
  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void>;
}
