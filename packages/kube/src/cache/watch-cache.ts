import type { KubeObject, ObjectKey } from '../client/index.ts';

/** One change of a cached object, as listeners receive it. */
export interface CacheChange<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  /** The object after the change; for `deleted` its last known state. */
  readonly object: T;
  /** The object that was cached before. Absent for `added`. */
  readonly previous?: T;
}

/**
 * All objects of one kind, kept up to date by list and watch: an informer. Objects are deep-frozen and never
 * change in place; an update replaces the object. A caller that holds one therefore holds a consistent state,
 * and must copy it before it changes anything. The cache may lag behind the API server.
 */
export interface WatchCache<T extends KubeObject> {
  /** Whether the first list is complete. Before that, reads may return part of the objects. */
  readonly synced: boolean;
  /** Resolves when the first list is complete. Rejects when the signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  get(key: ObjectKey): T | undefined;
  list(): readonly T[];
  /** Lists the objects with a value in an index. Empty for an unknown index or value. */
  byIndex(index: string, value: string): readonly T[];
  /** Adds an index over present and later objects. An index whose name exists keeps its function. */
  addIndex(index: string, valuesOf: (object: T) => readonly string[]): void;
  /**
   * Calls the listener with the present objects as `added`, then with each
   * change in order. The calls are synchronous, and errors that the listener
   * throws go to the cache's `onError`. Returns a function that unsubscribes.
   */
  subscribe(listener: (change: CacheChange<T>) => void): () => void;
}
