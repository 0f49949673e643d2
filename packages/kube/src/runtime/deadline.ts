import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '../clock/index.ts';

/** A signal with a timeout. The owner must call `release` when the work is done. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when the time ran out; false when the outer signal aborted. */
  readonly expired: boolean;
  /** Releases the timer and the outer signal. Does not abort the signal. */
  release(): void;
}

/** Starts a deadline. Its signal aborts when the time is up or the outer signal aborts. */
export function startDeadline(clock: Clock, timeout: DurationMs, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = new AbortController();
  let expired = false;
  const follow = () => controller.abort(outer?.reason);
  const release = () => {
    timer.abort();
    outer?.removeEventListener('abort', follow);
  };
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow);
  void clock.sleep(timeout, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    expired = true;
    controller.abort(new Error('the time is up'));
  });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    release,
  };
}
