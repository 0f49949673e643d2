import { lifecycleTuning } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { backoffDelay, type Clock, type Instant } from '@karpenter/kube/runtime';

/** What came of asking the cloud for an instance. */
type LaunchAttempt =
  | { readonly state: 'launched'; readonly instance: CloudInstance }
  /** No capacity, or a NodeClass that is not ready: the claim is deleted. */
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly failures: number; readonly retryAt: Instant };

interface Remembered {
  readonly attempt: LaunchAttempt;
  readonly until: Instant;
}

const backoff = { initial: lifecycleTuning.minBackoff, max: lifecycleTuning.maxBackoff };

/**
 * Outcomes of launches, by the uid of the claim, until the status of the claim contains them: a status that could not be written,
 * or a cache that is behind, must not make a second instance.
 */
export class LaunchAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #attempts = new Map<string, Remembered>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get(uid: string): LaunchAttempt | undefined {
    const remembered = this.#attempts.get(uid);
    return remembered !== undefined && this.#clock.now() < remembered.until ? remembered.attempt : undefined;
  }

  set(uid: string, attempt: LaunchAttempt): void {
    this.#forgetOld();
    this.#attempts.delete(uid);
    this.#attempts.set(uid, { attempt, until: this.#clock.now() + lifecycleTuning.launchCacheLifetime });
  }

  /** The next try has to wait, the longer the more of them have failed. */
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

  /** Entries are in the order of their end, as all live equally long. */
  #forgetOld(): void {
    const now = this.#clock.now();
    for (const [uid, { until }] of this.#attempts) {
      if (until > now) return;
      this.#attempts.delete(uid);
    }
  }
}
