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
 * Makes a call again while the service says that it is called too often, beyond what the SDK does. Those who were
 * refused together come back at different times, so that each of them finds its turn.
 */
export async function retryWhileThrottled<T>(
  call: () => Promise<T>,
  options: ThrottleRetryOptions,
): Promise<T> {
  const { clock, random = Math.random } = options;
  const { first, longest, times } = throttledRetries;
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error) || refusals === times) throw error;
      await clock.sleep(durationMs(random() * Math.min(longest, first * 2 ** refusals)));
    }
  }
}
