import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

interface Entry<Value> {
  readonly value: Value;
  readonly stamp: number;
  until: Instant;
}

export interface LastingOptions {
  readonly lifetime: DurationMs;
  readonly now: () => Instant;
  /** Another number when values would come out otherwise than before. */
  readonly stamp: () => number;
}

/** Values that are made when first asked for. When they are old, they are made anew if they would come out otherwise. */
export class LastingMap<Value> {
  readonly #options: LastingOptions;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: LastingOptions) {
    this.#options = options;
  }

  get(key: string, make: () => Value): Value {
    const now = this.#options.now();
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isGood(known, now)) return known.value;
    this.#drop(now);
    const value = make();
    this.#entries.set(key, { value, stamp: this.#options.stamp(), until: now + this.#options.lifetime });
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  #isGood(entry: Entry<Value>, now: Instant): boolean {
    if (now < entry.until) return true;
    if (entry.stamp !== this.#options.stamp()) return false;
    entry.until = now + this.#options.lifetime;
    return true;
  }

  /** What nobody has asked for lately must not stay in memory. */
  #drop(now: Instant): void {
    for (const [key, { until }] of this.#entries) {
      if (now >= until + this.#options.lifetime) this.#entries.delete(key);
    }
  }
}
