import { type DurationMs, durationMs } from '@karpenter/core/values';

export interface BackoffOptions {
  readonly initial: DurationMs;
  readonly max: DurationMs;
  /** Up to this share is added by chance, so that clients that failed together do not return together. */
  readonly jitter?: number;
  /** A number from 0 up to 1. */
  readonly random?: () => number;
}

/** The wait before the next try after so many failures: doubled each time, up to the limit. */
export function backoffDelay(options: BackoffOptions, failures: number): DurationMs {
  const { initial, max, jitter = 0, random = Math.random } = options;
  const delay = Math.min(max, initial * 2 ** Math.min(failures, 1000));
  return durationMs(delay * (1 + jitter * random()));
}
