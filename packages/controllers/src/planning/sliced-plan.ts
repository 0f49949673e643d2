import { setImmediate } from 'node:timers/promises';
import type { PlanSignal } from '@karpenter/core/scheduling';
import type { Clock, Instant } from '@karpenter/kube/runtime';

export interface SliceOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** When to stop and take what is decided. */
  readonly deadline: Instant;
  readonly signal?: AbortSignal;
  /** Called between slices, while others have their turn. */
  readonly onPause?: () => void;
}

/** Watches, probes and the lease wait no longer than this for their turn. */
const sliceMs = 5;

/** Makes a plan, or what else is decided in steps, in slices between which the rest of the process goes on. */
export async function slicedPlan<T>(
  steps: Generator<void, T, PlanSignal>,
  { clock, deadline, signal, onPause }: SliceOptions,
): Promise<T> {
  let sliceEnd = clock.now() + sliceMs;
  for (;;) {
    const now = clock.now();
    if (now >= sliceEnd) {
      onPause?.();
      await setImmediate();
      sliceEnd = clock.now() + sliceMs;
    }
    const { done, value } = steps.next(now >= deadline || signal?.aborted ? 'stop' : undefined);
    if (done) return value;
  }
}
