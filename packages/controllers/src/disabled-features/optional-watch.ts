import { startWatchCache, type WatchCache } from '@karpenter/kube/cache';
import type { Kind, KubeObject, KubeReader, ObjectKey } from '@karpenter/kube/client';
import { type Clock, changesOf, type Enqueue, type Source } from '@karpenter/kube/runtime';

interface OptionalWatchOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly clock: Clock;
  readonly kind: Kind<T>;
}

/**
 * Adds the keys of objects of a kind that the cluster need not serve. Not a cache of the shared set: the process is
 * ready only when those are synced, and a kind without a definition never is. A failed list is retried without a word,
 * since nobody needs the kind while its feature gate is off.
 */
export class OptionalWatch<T extends KubeObject> implements Source {
  readonly #options: OptionalWatchOptions<T>;
  #cache: WatchCache<T> | undefined;

  constructor(options: OptionalWatchOptions<T>) {
    this.#options = options;
  }

  get(key: ObjectKey): T | undefined {
    return this.#cache?.get(key);
  }

  start(enqueue: Enqueue): () => void {
    const ended = new AbortController();
    const cache = startWatchCache({ ...this.#options, signal: ended.signal });
    this.#cache = cache;
    const stop = changesOf(cache).start(enqueue);
    return () => {
      stop();
      ended.abort();
    };
  }
}
