import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

interface Entry<Value> {
  readonly value: Value;
  readonly stamp: number;
  until: Instant;
}

export interface RevalidatingOptions {
  readonly lifetime: DurationMs;
  readonly now: () => Instant;
  /** Version of the inputs. A value made with another version is stale. Absent if values are never stale. */
  readonly stamp?: () => number;
}

/**
 * Caches values by key. After its lifetime an entry is rebuilt only
 * if the stamp has changed since; otherwise its lifetime starts over. A
 * change therefore takes effect at the end of the lifetime, not at once.
 */
export class RevalidatingMap<Value> {
  readonly #options: RevalidatingOptions;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: RevalidatingOptions) {
    this.#options = options;
  }

  /** @param make gets the stale value, of which it may keep parts */
  get(key: string, make: (stale: Value | undefined) => Value): Value {
    const now = this.#options.now();
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known, now)) return known.value;
    this.#drop(now);
    const value = make(known?.value);
    this.#entries.set(key, { value, stamp: this.#stamp(), until: now + this.#options.lifetime });
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  #isFresh(entry: Entry<Value>, now: Instant): boolean {
    if (now < entry.until) return true;
    if (entry.stamp !== this.#stamp()) return false;
    entry.until = now + this.#options.lifetime;
    return true;
  }

  #stamp(): number {
    return this.#options.stamp?.() ?? 0;
  }

  /**
   * Removes entries that were not read for a lifetime after
   * they expired, so that unused ones free their memory.
   */
  #drop(now: Instant): void {
    for (const [key, { until }] of this.#entries) {
      if (now >= until + this.#options.lifetime) this.#entries.delete(key);
    }
  }
}
