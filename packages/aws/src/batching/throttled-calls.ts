import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { isThrottled } from '../aws-errors/index.ts';
import { throttledRetries } from '../names/index.ts';

export interface ThrottleRetryOptions {
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random?: (() => number) | undefined;
}

/**
 * Retries a call while the service throttles it, beyond the retries of the SDK. The backoff is random, so that calls
 * that were throttled together are not retried together.
 */
export async function retryWhileThrottled<T>(
  call: () => Promise<T>,
  options: ThrottleRetryOptions,
): Promise<T> {
  const { clock, random = Math.random } = options;
  const { first, longest, times } = throttledRetries;
  for (let retries = 0; ; retries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error) || retries === times) throw error;
      await clock.sleep(durationMs(random() * Math.min(longest, first * 2 ** retries)));
    }
  }
}
