import { lifecycleTuning } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { backoffDelay, type Clock, type Instant } from '@karpenter/kube/runtime';

/** The result of a launch request to the cloud provider. */
type LaunchAttempt =
  | { readonly state: 'launched'; readonly instance: CloudInstance }
  /** No capacity, or a NodeClass that is not ready: the claim is deleted. */
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly failures: number; readonly retryAt: Instant };

interface CachedAttempt {
  readonly attempt: LaunchAttempt;
  readonly until: Instant;
}

const backoff = { initial: lifecycleTuning.minBackoff, max: lifecycleTuning.maxBackoff };

/**
 * Caches the results of launches for an hour, by the uid of the claim, as Karpenter does. A claim whose status write
 * failed, or whose newer version has not reached the watch cache, looks as if it was never launched; without the cached
 * result the next reconcile would launch a second instance.
 */
export class LaunchAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #attempts = new Map<string, CachedAttempt>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get(uid: string): LaunchAttempt | undefined {
    const cached = this.#attempts.get(uid);
    return cached !== undefined && this.#clock.now() < cached.until ? cached.attempt : undefined;
  }

  set(uid: string, attempt: LaunchAttempt): void {
    this.#removeExpired();
    // Deleting first moves the entry to the end of the map, which `#removeExpired` relies on.
    this.#attempts.delete(uid);
    this.#attempts.set(uid, { attempt, until: this.#clock.now() + lifecycleTuning.launchCacheLifetime });
  }

  /**
   * Records a failed attempt, and when to retry by exponential backoff. The backoff of the controller's queue is not
   * enough: the status write of the failure triggers a reconcile at once.
   */
  fail(uid: string): LaunchAttempt {
    const before = this.get(uid);
    const failures = before?.state === 'failed' ? before.failures : 0;
    const retryAt = this.#clock.now() + backoffDelay(backoff, failures);
    const attempt: LaunchAttempt = { state: 'failed', failures: failures + 1, retryAt };
    this.set(uid, attempt);
    return attempt;
  }

  delete(uid: string): void {
    this.#attempts.delete(uid);
  }

  /** All entries have the same lifetime, so the map is in order of expiry and the loop ends at the first live one. */
  #removeExpired(): void {
    const now = this.#clock.now();
    for (const [uid, { until }] of this.#attempts) {
      if (until > now) return;
      this.#attempts.delete(uid);
    }
  }
}
