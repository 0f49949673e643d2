import { stateTuning } from '@karpenter/core/api';
import { durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';

export interface SyncContext extends Pick<ControllerContext, 'clock' | 'log'> {
  readonly cluster: Pick<ControllerContext['cluster'], 'synced'>;
}

/** Complains when the state takes long to know all that there was at the start: a kind may be missing, or forbidden. */
export class SyncWait {
  readonly #context: SyncContext;
  readonly #began: Instant;
  #complained: Instant = Number.NEGATIVE_INFINITY;

  constructor(context: SyncContext) {
    this.#context = context;
    this.#began = context.clock.now();
  }

  /** Whether plans can be made. */
  isOver(): boolean {
    const { cluster, clock, log } = this.#context;
    if (cluster.synced) return true;
    const now = clock.now();
    const waited = durationMs(now - this.#began);
    const isDue = now - this.#complained >= stateTuning.unsyncedLogPeriod;
    if (waited >= stateTuning.unsyncedLogDelay && isDue) {
      this.#complained = now;
      const duration = formatDuration(durationMsToNs(waited));
      log.error('cluster is waiting on sync for extended duration', { duration });
    }
    return false;
  }
}
