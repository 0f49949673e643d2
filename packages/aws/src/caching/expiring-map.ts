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

/** Values that are believed for a while. What has run out is forgotten when somebody asks, or by a sweep. */
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

  /** @param lifetime where this value is to be believed for another time than usual */
  set(key: K, value: V, lifetime: DurationMs = this.#options.lifetime): void {
    const now = this.#options.clock.now();
    if (now >= this.#nextSweep) this.#forgetOld(now);
    this.#entries.set(key, { value, until: now + lifetime });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** What is still believed. */
  *entries(): Iterable<readonly [K, V]> {
    for (const [key, { value, until }] of this.#entries) {
      if (this.#options.clock.now() < until) yield [key, value];
    }
  }

  /** Removes what has run out, and answers with it. */
  takeExpired(): readonly K[] {
    const now = this.#options.clock.now();
    const old = [...this.#entries].filter(([, { until }]) => now >= until).map(([key]) => key);
    for (const key of old) this.#entries.delete(key);
    return old;
  }

  /** Keys that are asked for once and never again would else pile up. */
  #forgetOld(now: Instant): void {
    this.takeExpired();
    this.#nextSweep = now + this.#options.lifetime;
  }
}
