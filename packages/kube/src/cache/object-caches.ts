import type { Kind, KubeObject } from '../client/kind.ts';
import type { IndexFunction } from './object-store.ts';
import type { WatchCache } from './watch-cache.ts';

/** One cache for each kind: watched on a live cluster (`CacheSet`), or fixed lists (`ListedCaches`). */
export interface ObjectCaches {
  of<T extends KubeObject>(
    kind: Kind<T>,
    indexes?: Readonly<Record<string, IndexFunction<T>>>,
  ): WatchCache<T>;
}
