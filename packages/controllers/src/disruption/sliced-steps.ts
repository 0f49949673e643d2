import { setImmediate } from 'node:timers/promises';
import type { PlanSignal } from '@karpenter/core/scheduling';
import type { Clock } from '@karpenter/kube/runtime';

interface StepSliceOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
}

/**
 * The longest time slice: watches, probes and the lease renewal wait no longer than this for the event loop.
 */
const sliceMs = 5;

/**
 * Runs a generator to its end in time slices and yields to the event loop between them. There is no deadline,
 * unlike in `slicedPlan`: a search that stops early would never reach some nodes. Undefined when the signal
 * aborts.
 */
export async function slicedSteps<T>(
  steps: Generator<void, T, PlanSignal>,
  { clock, signal }: StepSliceOptions,
): Promise<T | undefined> {
  // The caller may have used up a slice of its own before this call.
  await setImmediate();
  let sliceEnd = clock.now() + sliceMs;
  while (!signal.aborted) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
    if (clock.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = clock.now() + sliceMs;
  }
  return undefined;
}
