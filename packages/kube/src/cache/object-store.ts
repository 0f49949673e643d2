import { isOlderVersion } from '@karpenter/core/values';
import type { KubeObject, ObjectKey } from '../client/kind.ts';
import { keyOf, keyText } from '../client/object-key.ts';

import type { CacheChange } from './watch-cache.ts';

/** The values under which an index finds an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

interface Index<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly byValue: Map<string, Map<string, T>>;
}

/** Objects by key and by index. Every change says what it changed. */
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

  /** An index that exists already stays as it is. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index: Index<T> = { valuesOf, byValue: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) enter(index, key, object);
  }

  /** Takes an object unless a newer state of it is here already. */
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
    return [
      { type: 'deleted', object: previous, previous },
      { type: 'added', object },
    ];
  }

  /** Takes an object out, unless what is here is newer than the end that was told of. */
  remove(object: T): readonly CacheChange<T>[] {
    const key = keyText(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous === undefined || isOlderVersion(versionOf(object), versionOf(previous))) return [];
    this.#drop(key, previous);
    return [{ type: 'deleted', object, previous }];
  }

  /** Takes a complete list: what is not in it is gone, and what is in it counts whatever its version. */
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
      if (previous !== undefined) leave(index, key, previous);
      enter(index, key, object);
    }
  }

  #drop(key: string, object: T): void {
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) leave(index, key, object);
  }
}

function enter<T>({ valuesOf, byValue }: Index<T>, key: string, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = byValue.get(value);
    if (objects === undefined) byValue.set(value, new Map([[key, object]]));
    else objects.set(key, object);
  }
}

function leave<T>({ valuesOf, byValue }: Index<T>, key: string, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = byValue.get(value);
    objects?.delete(key);
    if (objects?.size === 0) byValue.delete(value);
  }
}

function versionOf({ metadata }: KubeObject): string {
  return metadata?.resourceVersion ?? '';
}

/** Someone may have deleted an object and made another of the same name. */
function isSameObject(one: KubeObject, other: KubeObject): boolean {
  return one.metadata?.uid === other.metadata?.uid;
}
