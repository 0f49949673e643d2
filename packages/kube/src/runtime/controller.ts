import type { DurationMs } from '@karpenter/core/values';
import type { Kind } from '../client/kind.ts';
import type { BackoffOptions } from './backoff.ts';

/** What a reconcile asks for afterwards: to be called again after a time, or nothing until something changes. */
export interface ReconcileResult {
  readonly requeueAfter: DurationMs;
}

/**
 * Level-triggered: given only a key, it reads what is now, decides, acts. A throw is retried with backoff;
 * the same key never runs twice at once.
 */
export interface Controller {
  /** The same text in logs, metrics and docs: `nodeclaim.lifecycle`. */
  readonly name: string;
  /** What its keys name; absent where that is no object of the API. */
  readonly kind?: Pick<Kind, 'group' | 'kind'>;
  /** How many keys may run at once; defaults to 1. */
  readonly concurrency?: number;
  /** For a key that keeps failing; defaults to that of the work queue. */
  readonly backoff?: BackoffOptions;
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult | undefined>;
}
