import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { TerminationEvent } from '../events/index.ts';
import type { MetadataReader } from '../imds/index.ts';
import { type Monitor, poll } from './monitor.ts';
import { RepeatedErrors } from './repeated-errors.ts';

const interval = durationMs(2_000);

export interface MonitorLoop {
  readonly monitor: Monitor;
  readonly metadata: MetadataReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with what each successful poll shows. */
  readonly onEvents: (events: readonly TerminationEvent[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Polls until the signal aborts. Rejects with `monitor-failed` when the same error keeps coming. */
export async function runMonitor(loop: MonitorLoop): Promise<void> {
  const { monitor, metadata, clock, signal, onEvents, onError } = loop;
  const errors = new RepeatedErrors(monitor.name);
  while (!signal.aborted) {
    try {
      onEvents(await poll(monitor, metadata, signal));
      errors.succeeded();
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      errors.failed(error);
    }
    await clock.sleep(interval, signal);
  }
}
