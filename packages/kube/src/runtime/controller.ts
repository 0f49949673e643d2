import type { DurationMs } from '@karpenter/core/values';
import type { Kind } from '../client/index.ts';
import type { BackoffOptions } from './backoff.ts';

/**
 * Result of a reconcile that wants to run again. One that
 * returns nothing runs again only when a source adds its key.
 */
export interface ReconcileResult {
  /** Delay until the next reconcile of the key. A source may trigger one earlier. */
  readonly requeueAfter: DurationMs;
}

/**
 * Reconciles objects by key. Level-triggered: it gets only the key, reads the current state, decides and
 * acts, so missed or merged events do no harm. The runner requeues the key with backoff after a throw, and
 * never reconciles one key twice at the same time.
 */
export interface Controller {
  /** Name in logs, metrics and docs, such as `nodeclaim.lifecycle`. */
  readonly name: string;
  /** Kind of the objects that the keys name. Absent when the keys name no API object. */
  readonly kind?: Pick<Kind, 'group' | 'kind'>;
  /** Maximum number of keys to reconcile at the same time. Defaults to 1. */
  readonly concurrency?: number;
  /** Backoff of a key whose reconcile throws. Defaults to that of the work queue. */
  readonly backoff?: BackoffOptions;
  /** Observes the signal in long calls; it aborts when the process stops. */
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult | undefined>;
}
