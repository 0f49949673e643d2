import type { DurationMs } from '@karpenter/core/values';
import type { CacheChange, WatchCache } from '../cache/watch-cache.ts';
import type { KubeObject } from '../client/kind.ts';
import { keyOf, keyText } from '../client/object-key.ts';

/** Adds a key to the queue of a controller, now or after a time. */
export type Enqueue = (key: string, after?: DurationMs) => void;

/** What makes a controller look at a key. */
export interface Source {
  /** Begins to add keys; returns how to stop. */
  start(enqueue: Enqueue): () => void;
  /** When reconciles can rely on what the source shows; defaults to immediately. */
  ready?(signal: AbortSignal): Promise<void>;
}

/** Each change of a cached object adds the keys it concerns: its own unless told. */
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

/** Adds nothing: for what reconciles read besides. */
export function readsFrom<T extends KubeObject>(cache: WatchCache<T>): Source {
  return waitsFor((signal) => cache.waitForSync(signal));
}

/** Adds nothing: for what has to have happened before the first reconcile. */
export function waitsFor(ready: (signal: AbortSignal) => Promise<void>): Source {
  return { start: () => () => undefined, ready };
}

function ownKey<T extends KubeObject>({ object }: CacheChange<T>): readonly string[] {
  return [keyText(keyOf(object))];
}

/** Adds one key once, at the start. */
export function atStart(key: string): Source {
  return {
    start(enqueue) {
      enqueue(key);
      return () => undefined;
    },
  };
}
