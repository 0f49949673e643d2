import { setImmediate } from 'node:timers/promises';
import type { PlanSignal } from '@karpenter/core/scheduling';
import type { Clock } from '@karpenter/kube/runtime';

export interface SliceOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
}

/** Watches, probes and the lease wait no longer than this for their turn. */
const sliceMs = 5;

/** Works in slices, between which the rest of the process goes on, to the end however long it takes; undefined when it is told to stop. */
export async function slicedSteps<T>(
  steps: Generator<void, T, PlanSignal>,
  { clock, signal }: SliceOptions,
): Promise<T | undefined> {
  // What was done before may have taken a slice of its own.
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
