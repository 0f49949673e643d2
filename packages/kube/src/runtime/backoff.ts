import { type DurationMs, durationMs } from '@karpenter/core/values';

/** Parameters of an exponential backoff. */
export interface BackoffOptions {
  readonly initial: DurationMs;
  readonly max: DurationMs;
  /**
   * Largest share of the delay to add at random, so that clients that failed together do not retry together.
   * Defaults to 0.
   */
  readonly jitter?: number;
  /** Returns a number in [0, 1); tests inject a fixed one. Defaults to `Math.random`. */
  readonly random?: () => number;
}

/**
 * Returns the delay before the next retry. It doubles with each earlier failure, up to `max`, before jitter.
 */
export function backoffDelay(options: BackoffOptions, failures: number): DurationMs {
  const { initial, max, jitter = 0, random = Math.random } = options;
  // The exponent is capped because 2 ** 1024 is Infinity, and 0 * Infinity would make the delay NaN.
  const delay = Math.min(max, initial * 2 ** Math.min(failures, 1000));
  return durationMs(delay * (1 + jitter * random()));
}
