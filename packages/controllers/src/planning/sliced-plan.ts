import { setImmediate } from 'node:timers/promises';
import type { PlanSignal } from '@karpenter/core/scheduling';
import type { Clock, Instant } from '@karpenter/kube/runtime';

export interface PlanSliceOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** When to stop planning and keep what is decided so far. */
  readonly deadline: Instant;
  readonly signal?: AbortSignal;
  /** Called before each yield to the event loop. */
  readonly onPause?: () => void;
}

/**
 * The longest time slice: watches, probes and the lease renewal wait no longer than this for the event loop.
 */
const sliceMs = 5;

/**
 * Runs the steps of a plan in time slices and yields to the event loop between them. At the deadline, or when
 * the signal aborts, the steps are asked to stop and still return what they have decided.
 */
export async function slicedPlan<T>(
  steps: Generator<void, T, PlanSignal>,
  { clock, deadline, signal, onPause }: PlanSliceOptions,
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
