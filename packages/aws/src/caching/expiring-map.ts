import type { DurationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';

interface Entry<V> {
  readonly value: V;
  readonly until: Instant;
}

export interface ExpiringMapOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly lifetime: DurationMs;
}

/** A map whose entries expire. Reads ignore expired entries; writes remove them once per lifetime. */
export class ExpiringMap<K, V> {
  readonly #options: ExpiringMapOptions;
  readonly #entries = new Map<K, Entry<V>>();
  #nextSweep: Instant = 0;

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#options.clock.now() < entry.until ? entry.value : undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** @param lifetime overrides the map's lifetime for this entry */
  set(key: K, value: V, lifetime: DurationMs = this.#options.lifetime): void {
    const now = this.#options.clock.now();
    if (now >= this.#nextSweep) this.#removeExpired(now);
    this.#entries.set(key, { value, until: now + lifetime });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The entries that have not expired. */
  *entries(): Iterable<readonly [K, V]> {
    for (const [key, { value, until }] of this.#entries) {
      if (this.#options.clock.now() < until) yield [key, value];
    }
  }

  /** Removes expired entries and returns their keys. */
  takeExpired(): readonly K[] {
    const now = this.#options.clock.now();
    const old = [...this.#entries].filter(([, { until }]) => now >= until).map(([key]) => key);
    for (const key of old) this.#entries.delete(key);
    return old;
  }

  /** Bounds the memory for keys that are set once and never read again. */
  #removeExpired(now: Instant): void {
    this.takeExpired();
    this.#nextSweep = now + this.#options.lifetime;
  }
}
