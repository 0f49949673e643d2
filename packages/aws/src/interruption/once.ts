import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

interface Run {
  readonly done: Promise<void>;
  readonly since: Instant;
}

/**
 * Runs work once per key within a lifetime. Concurrent callers share
 * the outcome. Failed work is forgotten, so that it can be retried.
 */
export class Once {
  readonly #now: () => Instant;
  readonly #lifetime: DurationMs;
  /** Oldest first, which lets the cleanup stop early. */
  readonly #runs = new Map<string, Run>();

  constructor(options: { readonly now: () => Instant; readonly lifetime: DurationMs }) {
    this.#now = options.now;
    this.#lifetime = options.lifetime;
  }

  run(key: string, work: () => Promise<void>): Promise<void> {
    this.#removeExpired();
    const known = this.#runs.get(key);
    if (known !== undefined) return known.done;
    const done = work().catch((error: unknown) => {
      this.#runs.delete(key);
      throw error;
    });
    this.#runs.set(key, { done, since: this.#now() });
    return done;
  }

  #removeExpired(): void {
    for (const [key, { since }] of this.#runs) {
      if (this.#now() < since + this.#lifetime) return;
      this.#runs.delete(key);
    }
  }
}
