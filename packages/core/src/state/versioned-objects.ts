import { isOlderVersion } from '../values/index.ts';
import type { Stored } from './cluster-object.ts';
import { OrderedMap } from './ordered-map.ts';

/** Late news of deleted objects comes within moments, so that only the last deletions are remembered. */
const rememberedDeletions = 10_000;

export function keyOf({ metadata: { namespace, name } }: Stored): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

interface Gone {
  readonly uid: string | undefined;
  readonly version: string;
}

export interface ListChange<T> {
  readonly put: readonly T[];
  readonly removed: readonly T[];
}

/**
 * The latest moment of each object of a kind, in whatever order they are told: what is older than what is
 * known is dropped, and an object that was deleted does not come back.
 */
export class VersionedObjects<T extends Stored> {
  readonly #objects = new OrderedMap<T>();
  readonly #gone = new Map<string, Gone>();

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** In order of namespace and name. */
  values(): readonly T[] {
    return this.#objects.values();
  }

  /** Whether the object says anything that is not known. */
  isNews(object: T): boolean {
    const known = this.#objects.get(keyOf(object));
    if (known !== undefined)
      return !isSameMoment(known, object) && !isOlder(object, known) && !isUnwritten(object, known);
    const gone = this.#gone.get(keyOf(object));
    return gone === undefined || !isBefore(object, gone);
  }

  put(object: T): void {
    const key = keyOf(object);
    this.#objects.set(key, object);
    this.#gone.delete(key);
  }

  /** What is there no longer; nothing when the news is about an earlier object of that name. */
  remove(object: T): T | undefined {
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (known !== undefined && isLaterObject(known, object)) return undefined;
    this.#objects.delete(key);
    this.#remember(key, object);
    return known;
  }

  /** What a complete list changes. */
  compare(objects: readonly T[], listVersion = ''): ListChange<T> {
    if (this.#holdsExactly(objects)) return { put: [], removed: [] };
    const listed = new Set(objects.map(keyOf));
    const isMissing = (known: T) => !listed.has(keyOf(known)) && !isAfter(known, listVersion);
    return {
      put: objects.filter((object) => this.isNews(object)),
      removed: [...this.#objects.unordered()].filter(isMissing),
    };
  }

  /** Often every object of a list has been told of one by one before. */
  #holdsExactly(objects: readonly T[]): boolean {
    return (
      objects.length === this.#objects.size &&
      objects.every((object) => this.#objects.get(keyOf(object)) === object)
    );
  }

  #remember(key: string, object: T): void {
    const version = versionOf(object);
    const earlier = this.#gone.get(key);
    if (earlier !== undefined && isOlderVersion(version, earlier.version)) return;
    this.#gone.delete(key);
    this.#gone.set(key, { uid: object.metadata.uid, version });
    const [oldest] = this.#gone.keys();
    if (this.#gone.size > rememberedDeletions && oldest !== undefined) this.#gone.delete(oldest);
  }
}

function versionOf({ metadata }: Stored): string {
  return metadata.resourceVersion ?? '';
}

function isOlder(a: Stored, b: Stored): boolean {
  return isOlderVersion(versionOf(a), versionOf(b));
}

/** What is about to be written says nothing new of what the API server has. */
function isUnwritten(object: Stored, known: Stored): boolean {
  return versionOf(object) === '' && versionOf(known) !== '';
}

/** Whether a list was made too early to show the object. */
function isAfter(object: Stored, listVersion: string): boolean {
  const version = versionOf(object);
  return listVersion !== '' && (version === '' || isOlderVersion(listVersion, version));
}

function isSameMoment(a: Stored, b: Stored): boolean {
  return (
    a === b ||
    (isSameObject(a.metadata.uid, b.metadata.uid) && versionOf(a) !== '' && versionOf(a) === versionOf(b))
  );
}

function isSameObject(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

/** Whether what is known was made after the object of that name that the news is about. */
function isLaterObject(known: Stored, object: Stored): boolean {
  return !isSameObject(known.metadata.uid, object.metadata.uid) && isOlder(object, known);
}

/** Versions of a cluster only grow, so that an older one under the same name is of the object that is gone. */
function isBefore(object: Stored, gone: Gone): boolean {
  const version = versionOf(object);
  if (isSameObject(object.metadata.uid, gone.uid)) return true;
  return version !== '' && (version === gone.version || isOlderVersion(version, gone.version));
}
