import { isOlderVersion } from '@karpenter/core/values';
import type { KubeObject, ObjectKey } from '../client/index.ts';
import { keyOf, keyText } from '../client/index.ts';

import type { CacheChange } from './watch-cache.ts';

/** Returns the values under which an index lists an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

interface Index<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly byValue: Map<string, Map<string, T>>;
}

/**
 * Objects by key and by index. Each method that changes the store returns the changes, for the caller to pass
 * to listeners. An object that has the stored resource version already is no change.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(keyText(key));
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): readonly T[] {
    return [...(this.#indexes.get(name)?.byValue.get(value)?.values() ?? [])];
  }

  /** Adds an index over present and later objects. Does nothing if one of that name exists. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index: Index<T> = { valuesOf, byValue: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) addToIndex(index, key, object);
  }

  /** Stores an object, unless the stored one has a newer resource version. */
  set(object: T): readonly CacheChange<T>[] {
    const key = keyText(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous !== undefined && isOlderVersion(versionOf(object), versionOf(previous))) return [];
    return this.#take(key, object, previous);
  }

  #take(key: string, object: T, previous: T | undefined): readonly CacheChange<T>[] {
    if (previous !== undefined && versionOf(object) === versionOf(previous)) return [];
    this.#put(key, object);
    if (previous === undefined) return [{ type: 'added', object }];
    if (isSameObject(previous, object)) return [{ type: 'modified', object, previous }];
    // The watch missed a delete and a create under the same name; listeners must see both.
    return [
      { type: 'deleted', object: previous, previous },
      { type: 'added', object },
    ];
  }

  /** Removes an object, unless the stored one is newer than the deletion: it was created again since. */
  remove(object: T): readonly CacheChange<T>[] {
    const key = keyText(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous === undefined || isOlderVersion(versionOf(object), versionOf(previous))) return [];
    this.#drop(key, previous);
    return [{ type: 'deleted', object, previous }];
  }

  /**
   * Replaces the contents with a complete list. Objects that are not in the
   * list are removed. Listed ones are stored even if the store has a newer
   * version, because a cluster restored from a backup goes back in versions.
   */
  replaceAll(objects: readonly T[]): readonly CacheChange<T>[] {
    const present = new Set(objects.map((object) => keyText(keyOf(object))));
    const gone = [...this.#objects].filter(([key]) => !present.has(key));
    for (const [key, object] of gone) this.#drop(key, object);
    const deleted = gone.map(([, object]) => ({ type: 'deleted', object, previous: object }) as const);
    const taken = objects.flatMap((object) => {
      const key = keyText(keyOf(object));
      return this.#take(key, object, this.#objects.get(key));
    });
    return [...deleted, ...taken];
  }

  #put(key: string, object: T): void {
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) removeFromIndex(index, key, previous);
      addToIndex(index, key, object);
    }
  }

  #drop(key: string, object: T): void {
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) removeFromIndex(index, key, object);
  }
}

function addToIndex<T>({ valuesOf, byValue }: Index<T>, key: string, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = byValue.get(value);
    if (objects === undefined) byValue.set(value, new Map([[key, object]]));
    else objects.set(key, object);
  }
}

function removeFromIndex<T>({ valuesOf, byValue }: Index<T>, key: string, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = byValue.get(value);
    objects?.delete(key);
    if (objects?.size === 0) byValue.delete(value);
  }
}

function versionOf({ metadata }: KubeObject): string {
  return metadata?.resourceVersion ?? '';
}

/** Compares UIDs: a deleted object may have been created again under the same name. */
function isSameObject(one: KubeObject, other: KubeObject): boolean {
  return one.metadata?.uid === other.metadata?.uid;
}
