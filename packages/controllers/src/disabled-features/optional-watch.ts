import { startWatchCache, type WatchCache } from '@karpenter/kube/cache';
import type { Kind, KubeObject, KubeReader, ObjectKey } from '@karpenter/kube/client';
import { type Clock, changesOf, type Enqueue, type Source } from '@karpenter/kube/runtime';

interface OptionalWatchOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly clock: Clock;
  readonly kind: Kind<T>;
}

/**
 * Enqueues the objects of a kind whose CRD may not be installed. It does not use the shared caches: the process is
 * ready only when these are synced, and a cache without a CRD never syncs. A failed list is retried without a log
 * line, because the process does not need the kind while its feature gate is off.
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
    const stopped = new AbortController();
    const cache = startWatchCache({ ...this.#options, signal: stopped.signal });
    this.#cache = cache;
    const stopEnqueueing = changesOf(cache).start(enqueue);
    return () => {
      stopEnqueueing();
      stopped.abort();
    };
  }
}
