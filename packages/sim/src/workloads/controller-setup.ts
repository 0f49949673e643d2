import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { CacheSet } from '@karpenter/kube/cache';
import { isConflict, isNotFound, type KubeClient } from '@karpenter/kube/client';
import type { Clock, Controller, ReconcileResult, Source } from '@karpenter/kube/runtime';
import type { EventRecorder } from '../objects/event-recorder.ts';

/** What the controllers of the simulated cluster work with. */
export interface ControllerContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly events: EventRecorder;
}

/** A controller and what makes it look at a key. */
export interface ControllerSetup {
  readonly controller: Controller;
  readonly sources: readonly Source[];
}

/** How soon to look whether the cache shows what was written. */
export const unseenRetryMs = 50;

export function again(afterMs: number | undefined): ReconcileResult | undefined {
  if (afterMs === undefined) return undefined;
  const requeueAfter: DurationMs = durationMs(Math.max(1, Math.ceil(afterMs)));
  return { requeueAfter };
}

/** What is to be deleted or changed is gone already: that is as good. */
export function ignoreAbsence(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** Someone else wrote meanwhile; the change will come by watch, and with it another look. */
export function ignoreOvertaken(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
