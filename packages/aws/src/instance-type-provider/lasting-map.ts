import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

/** Values that are made when first asked for and made anew after a while. */
export class LastingMap<Value> {
  readonly #lifetime: DurationMs;
  readonly #now: () => Instant;
  readonly #values = new Map<string, { readonly value: Value; readonly until: Instant }>();

  constructor(lifetime: DurationMs, now: () => Instant) {
    this.#lifetime = lifetime;
    this.#now = now;
  }

  get(key: string, make: () => Value): Value {
    const now = this.#now();
    const known = this.#values.get(key);
    if (known !== undefined && now < known.until) return known.value;
    this.#drop(now);
    const value = make();
    this.#values.set(key, { value, until: now + this.#lifetime });
    return value;
  }

  clear(): void {
    this.#values.clear();
  }

  /** What nobody has asked for lately must not stay in memory. */
  #drop(now: Instant): void {
    for (const [key, { until }] of this.#values) if (now >= until) this.#values.delete(key);
  }
}
