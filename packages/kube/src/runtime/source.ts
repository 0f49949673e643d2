import type { DurationMs } from '@karpenter/core/values';
import type { CacheChange, WatchCache } from '../cache/index.ts';
import type { KubeObject } from '../client/index.ts';
import { keyOf, keyText } from '../client/index.ts';

/** Adds a key to a controller's queue, at once or after a delay. */
export type Enqueue = (key: string, after?: DurationMs) => void;

/** Triggers reconciles by adding keys to a controller's queue, like `source.Source` of controller-runtime. */
export interface Source {
  /** Starts to add keys. Returns a function that stops it. */
  start(enqueue: Enqueue): () => void;
  /**
   * Resolves when reconciles can read what the source reports, such as when its cache is synced. Rejects when
   * the signal aborts first. A source without it is ready at once.
   */
  ready?(signal: AbortSignal): Promise<void>;
}

/**
 * Adds keys on each change of a cached object. `keys` maps
 * a change to keys; it defaults to the object's own key.
 */
export function changesOf<T extends KubeObject>(
  cache: WatchCache<T>,
  keys: (change: CacheChange<T>) => Iterable<string> = ownKey,
): Source {
  return {
    start: (enqueue) =>
      cache.subscribe((change) => {
        for (const key of keys(change)) enqueue(key);
      }),
    ready: (signal) => cache.waitForSync(signal),
  };
}

/**
 * Adds no keys. Delays the first reconcile until the cache is synced, for kinds that a controller only reads.
 */
export function readsFrom<T extends KubeObject>(cache: WatchCache<T>): Source {
  return waitsFor((signal) => cache.waitForSync(signal));
}

/** Adds no keys. Delays the first reconcile until `ready` resolves. */
export function waitsFor(ready: (signal: AbortSignal) => Promise<void>): Source {
  return { start: () => () => undefined, ready };
}

function ownKey<T extends KubeObject>({ object }: CacheChange<T>): readonly string[] {
  return [keyText(keyOf(object))];
}

/** Adds one key once, when the controller starts. */
export function atStart(key: string): Source {
  return {
    start(enqueue) {
      enqueue(key);
      return () => undefined;
    },
  };
}
