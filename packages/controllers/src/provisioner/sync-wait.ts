import { stateTuning } from '@karpenter/core/api';
import { durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';

export interface SyncContext extends Pick<ControllerContext, 'clock' | 'log'> {
  readonly cluster: Pick<ControllerContext['cluster'], 'synced'>;
}

/**
 * Delays provisioning until the cluster state is synced, and logs when that takes long: a CRD may be missing, or the
 * service account may lack permission to list a kind.
 */
export class SyncWait {
  readonly #context: SyncContext;
  readonly #startedAt: Instant;
  #lastLogged: Instant = Number.NEGATIVE_INFINITY;

  constructor(context: SyncContext) {
    this.#context = context;
    this.#startedAt = context.clock.now();
  }

  /** Whether the state is synced. It never becomes unsynced again. */
  isOver(): boolean {
    const { cluster, clock, log } = this.#context;
    if (cluster.synced) return true;
    const now = clock.now();
    const waited = durationMs(now - this.#startedAt);
    const isDue = now - this.#lastLogged >= stateTuning.unsyncedLogPeriod;
    if (waited >= stateTuning.unsyncedLogDelay && isDue) {
      this.#lastLogged = now;
      const duration = formatDuration(durationMsToNs(waited));
      log.error('cluster is waiting on sync for extended duration', { duration });
    }
    return false;
  }
}
