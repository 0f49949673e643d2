import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '../clock/index.ts';

/** A signal that others can raise, and that must be let go of when the work is done. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The time ran out, as opposed to someone else giving up. */
  readonly expired: boolean;
  /** Lets go of the clock and of the outer signal; raises nothing. */
  release(): void;
}

/** Raises its signal when the outer one is raised or the time is up. */
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
