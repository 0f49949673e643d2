import type { Kind, KubeObject, KubeReader } from '../client/index.ts';
import { apiVersionOf } from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import type { ObjectCaches } from './object-caches.ts';
import type { IndexFunction } from './object-store.ts';
import { startWatchCache } from './reflected-cache.ts';
import type { WatchCache } from './watch-cache.ts';

export interface CacheSetOptions {
  readonly client: KubeReader;
  readonly clock: Clock;
  /** Stops all caches when aborted. */
  readonly signal: AbortSignal;
  /**
   * Returns a function that reduces the objects of a kind to the fields that are read, before they are cached.
   * Undefined for a kind drops only the managed fields.
   */
  readonly trim?: (kind: Kind) => ((object: KubeObject) => KubeObject) | undefined;
  /**
   * Kinds that callers can do without: while the API server forbids one, its cache is empty and synced, and is
   * retried like any other.
   */
  readonly optional?: OptionalKinds;
  /** Called with each failed list or watch, and with what listeners throw. The caches keep retrying. */
  readonly onError?: (kind: Kind, error: unknown) => void;
}

export interface OptionalKinds {
  has(kind: Kind): boolean;
  /** Called when the API server forbids an optional kind and when it allows it again. */
  onAccess(kind: Kind, isAllowed: boolean): void;
}

/** One watch cache per kind, started by the first `of` for that kind and shared by all callers. */
export class CacheSet implements ObjectCaches {
  readonly #options: CacheSetOptions;
  readonly #caches = new Map<string, { readonly kind: Kind; readonly cache: WatchCache<KubeObject> }>();

  constructor(options: CacheSetOptions) {
    this.#options = options;
  }

  of<T extends KubeObject>(
    kind: Kind<T>,
    indexes: Readonly<Record<string, IndexFunction<T>>> = {},
  ): WatchCache<T> {
    const name = `${apiVersionOf(kind)}/${kind.plural}`;
    const cache = this.#find<T>(name) ?? this.#start(name, kind);
    for (const [index, valuesOf] of Object.entries(indexes)) cache.addIndex(index, valuesOf);
    return cache;
  }

  /** Whether every cache started so far has its first list. */
  get synced(): boolean {
    return [...this.#caches.values()].every(({ cache }) => cache.synced);
  }

  /** Plural names of the kinds whose first list is incomplete. */
  get unsynced(): readonly string[] {
    return [...this.#caches.values()].flatMap(({ kind, cache }) => (cache.synced ? [] : [kind.plural]));
  }

  /** Waits for the caches started so far. Rejects when the signal aborts first. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all([...this.#caches.values()].map(({ cache }) => cache.waitForSync(signal)));
  }

  /** The cast is safe because the map keys each cache by its kind. */
  #find<T extends KubeObject>(name: string): WatchCache<T> | undefined {
    return this.#caches.get(name)?.cache as WatchCache<T> | undefined;
  }

  #start<T extends KubeObject>(name: string, kind: Kind<T>): WatchCache<T> {
    const { client, clock, signal, trim, optional, onError } = this.#options;
    // The cast is safe because trimmed objects keep all fields that are read.
    const transform = trim?.(kind) as ((object: T) => T) | undefined;
    const cache = startWatchCache({
      client,
      kind,
      clock,
      signal,
      ...(transform === undefined ? {} : { transform }),
      ...(optional?.has(kind) && { onAccess: (isAllowed: boolean) => optional.onAccess(kind, isAllowed) }),
      ...(onError === undefined ? {} : { onError: (error: unknown) => onError(kind, error) }),
    });
    this.#caches.set(name, { kind, cache: cache as WatchCache<KubeObject> });
    return cache;
  }
}
