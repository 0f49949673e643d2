import type { Kind, KubeObject } from '../client/index.ts';
import { collectionPath } from '../client/index.ts';
import type { ObjectCaches } from './object-caches.ts';
import { type IndexFunction, ObjectStore } from './object-store.ts';
import type { CacheChange, WatchCache } from './watch-cache.ts';

/** The objects of one kind. */
export interface KindList<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly objects: readonly T[];
}

/**
 * Caches over fixed lists of objects, such as those of a file, so that code written for a live cluster can
 * read them. They are synced from the start and never change. A kind that is in no list is empty.
 */
export class ListedCaches implements ObjectCaches {
  readonly #caches: Map<string, WatchCache<KubeObject>>;

  constructor(lists: readonly KindList[]) {
    this.#caches = new Map(
      lists.map(({ kind, objects }) => [collectionPath(kind), new ListedCache(objects)]),
    );
  }

  of<T extends KubeObject>(
    kind: Kind<T>,
    indexes: Readonly<Record<string, IndexFunction<T>>> = {},
  ): WatchCache<T> {
    const name = collectionPath(kind);
    // The cast is safe because the map keys each list by its kind.
    const cache = (this.#caches.get(name) ?? new ListedCache<T>([])) as WatchCache<T>;
    this.#caches.set(name, cache as WatchCache<KubeObject>);
    for (const [index, valuesOf] of Object.entries(indexes)) cache.addIndex(index, valuesOf);
    return cache;
  }
}

class ListedCache<T extends KubeObject> extends ObjectStore<T> implements WatchCache<T> {
  readonly synced = true;

  constructor(objects: readonly T[]) {
    super();
    this.replaceAll(objects);
  }

  async waitForSync(): Promise<void> {}

  subscribe(listener: (change: CacheChange<T>) => void): () => void {
    for (const object of this.list()) listener({ type: 'added', object });
    return () => undefined;
  }
}
