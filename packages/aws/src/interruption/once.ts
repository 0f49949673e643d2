import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

interface Run {
  readonly done: Promise<void>;
  readonly since: Instant;
}

/**
 * Work that is done once for each key within a time. Who comes while it is under way shares its outcome; work that
 * failed may be tried again.
 */
export class Once {
  readonly #now: () => Instant;
  readonly #lifetime: DurationMs;
  /** Oldest first. */
  readonly #runs = new Map<string, Run>();

  constructor(options: { readonly now: () => Instant; readonly lifetime: DurationMs }) {
    this.#now = options.now;
    this.#lifetime = options.lifetime;
  }

  run(key: string, work: () => Promise<void>): Promise<void> {
    this.#forgetOld();
    const known = this.#runs.get(key);
    if (known !== undefined) return known.done;
    const done = work().catch((error: unknown) => {
      this.#runs.delete(key);
      throw error;
    });
    this.#runs.set(key, { done, since: this.#now() });
    return done;
  }

  #forgetOld(): void {
    for (const [key, { since }] of this.#runs) {
      if (this.#now() < since + this.#lifetime) return;
      this.#runs.delete(key);
    }
  }
}
