import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { CacheSet } from '@karpenter/kube/cache';
import { isConflict, isNotFound, type KubeClient } from '@karpenter/kube/client';
import type { Clock, Controller, ReconcileResult, Source } from '@karpenter/kube/runtime';
import type { ComponentEventRecorder } from '../objects/event-recorder.ts';

/** What a controller of the simulated cluster needs. */
export interface WorkloadControllerContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly events: ComponentEventRecorder;
}

/** A controller and the sources that enqueue its keys. */
export interface ControllerSetup {
  readonly controller: Controller;
  readonly sources: readonly Source[];
}

/** How soon to retry while the cache does not show the controller's own writes yet. */
export const staleCacheRetryMs = 50;

export function requeueIn(afterMs: number | undefined): ReconcileResult | undefined {
  if (afterMs === undefined) return undefined;
  const requeueAfter: DurationMs = durationMs(Math.max(1, Math.ceil(afterMs)));
  return { requeueAfter };
}

/** For deletes and patches of an object that may be gone already. */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/**
 * For writes based on a stale object. Ignoring the conflict is safe: the newer version arrives by watch and
 * triggers another reconcile.
 */
export function ignoreNotFoundOrConflict(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
