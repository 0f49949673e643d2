import type { Kind, KubeObject } from '../client/index.ts';
import type { IndexFunction } from './object-store.ts';
import type { WatchCache } from './watch-cache.ts';

/** One cache for each kind: watched on a live cluster (`CacheSet`), or fixed lists (`ListedCaches`). */
export interface ObjectCaches {
  /**
   * Returns the cache of a kind and adds the indexes to it. An index whose name exists keeps its function.
   */
  of<T extends KubeObject>(
    kind: Kind<T>,
    indexes?: Readonly<Record<string, IndexFunction<T>>>,
  ): WatchCache<T>;
}
