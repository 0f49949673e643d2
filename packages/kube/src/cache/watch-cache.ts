import type { KubeObject, ObjectKey } from '../client/kind.ts';

export interface CacheChange<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
  /** What was cached before; absent for `added`. */
  readonly previous?: T;
}

/**
 * All objects of one kind, kept up to date by list and watch. What it hands out is never changed in place:
 * a change replaces the object, so whoever holds one holds one moment of it.
 */
export interface WatchCache<T extends KubeObject> {
  /** The first list is complete. */
  readonly synced: boolean;
  /** Rejects when the signal is raised first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  get(key: ObjectKey): T | undefined;
  list(): readonly T[];
  /** By an index given when the cache was made or since; empty for values nobody has. */
  byIndex(index: string, value: string): readonly T[];
  /** Finds objects by what the function says of them from now on; a name that is taken stays as it was. */
  addIndex(index: string, valuesOf: (object: T) => readonly string[]): void;
  /** Called for each change in order, with the present objects first as `added`; returns how to stop. */
  subscribe(listener: (change: CacheChange<T>) => void): () => void;
}
