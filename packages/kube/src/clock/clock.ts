import type { DurationMs } from '@karpenter/core/values';

/** A moment, in milliseconds since 1970 as `Date` counts them. */
export type Instant = number;

/**
 * The only source of time and the only way to wait, so that tests can control both.
 */
export interface Clock {
  now(): Instant;
  /**
   * Milliseconds since some moment in the past. Unlike `now` it is never set back or forward, and it advances while the
   * process is suspended, so leases use it (ADR 0036).
   */
  monotonic(): number;
  /** Resolves after the time, or early when the signal aborts. Never rejects: callers check the signal afterwards. */
  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void>;
}
