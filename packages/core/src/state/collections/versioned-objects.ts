import { isOlderVersion, memoizedLast } from '../../values/index.ts';
import type { Stored } from '../cluster-object.ts';
import { OrderedMap } from './ordered-map.ts';

/** Late events for a deleted object arrive within moments, so only the latest deletions are kept. */
const maxDeletions = 10_000;

/**
 * The key of an object. The last one is cached, because applying an event needs it ten times and stores it in four
 * places: separate equal strings would take 150 bytes for each pod of a large cluster.
 */
export const keyOf: (object: Stored) => string = memoizedLast(({ metadata: { namespace, name } }: Stored) =>
  namespace === undefined ? name : `${namespace}/${name}`,
);

interface Deletion {
  readonly uid: string | undefined;
  readonly version: string;
}

export interface ListChange<T> {
  readonly put: readonly T[];
  readonly removed: readonly T[];
}

/**
 * Holds the latest version of each object of a kind, whatever order events arrive in: older versions are
 * dropped, and a deleted object is not brought back by a late event.
 */
export class VersionedObjects<T extends Stored> {
  readonly #objects = new OrderedMap<T>();
  readonly #deletions = new Map<string, Deletion>();
  #unsorted: readonly T[] | undefined;

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Sorted by namespace and name. */
  values(): readonly T[] {
    return this.#objects.values();
  }

  /** The same array until an object changes. */
  unsorted(): readonly T[] {
    this.#unsorted ??= [...this.#objects.unordered()];
    return this.#unsorted;
  }

  /** Whether the object is newer than the stored one, and not one that was deleted. */
  isNewer(object: T): boolean {
    const known = this.#objects.get(keyOf(object));
    if (known !== undefined)
      return !isSameVersion(known, object) && !isOlder(object, known) && !isNotYetCreated(object, known);
    const deletion = this.#deletions.get(keyOf(object));
    return deletion === undefined || !isBefore(object, deletion);
  }

  put(object: T): void {
    const key = keyOf(object);
    this.#objects.set(key, object);
    this.#unsorted = undefined;
    this.#deletions.delete(key);
  }

  /**
   * Returns the removed object; undefined if there was none, or if the event concerns an earlier object of
   * the name.
   */
  remove(object: T): T | undefined {
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (known !== undefined && isLaterObject(known, object)) return undefined;
    this.#objects.delete(key);
    this.#unsorted = undefined;
    this.#remember(key, object);
    return known;
  }

  /**
   * What a complete list changes. Objects newer than the list stay, since it was taken before they existed.
   */
  compare(objects: readonly T[], listVersion = ''): ListChange<T> {
    if (this.#holdsExactly(objects)) return { put: [], removed: [] };
    const listed = new Set(objects.map(keyOf));
    const isMissing = (known: T) => !listed.has(keyOf(known)) && !isAfter(known, listVersion);
    return {
      put: objects.filter((object) => this.isNewer(object)),
      removed: [...this.#objects.unordered()].filter(isMissing),
    };
  }

  /** Shortcut for a list whose objects have all arrived by watch before. */
  #holdsExactly(objects: readonly T[]): boolean {
    return (
      objects.length === this.#objects.size &&
      objects.every((object) => this.#objects.get(keyOf(object)) === object)
    );
  }

  #remember(key: string, object: T): void {
    const version = versionOf(object);
    const earlier = this.#deletions.get(key);
    if (earlier !== undefined && isOlderVersion(version, earlier.version)) return;
    // Deleted first, so that the map stays in the order of deletions and the oldest is the first to go.
    this.#deletions.delete(key);
    this.#deletions.set(key, { uid: object.metadata.uid, version });
    const [oldest] = this.#deletions.keys();
    if (this.#deletions.size > maxDeletions && oldest !== undefined) this.#deletions.delete(oldest);
  }
}

function versionOf({ metadata }: Stored): string {
  return metadata.resourceVersion ?? '';
}

function isOlder(a: Stored, b: Stored): boolean {
  return isOlderVersion(versionOf(a), versionOf(b));
}

/** An object that is about to be created adds nothing to one that the API server already has. */
function isNotYetCreated(object: Stored, known: Stored): boolean {
  return versionOf(object) === '' && versionOf(known) !== '';
}

/** Whether the list was taken too early to contain the object. */
function isAfter(object: Stored, listVersion: string): boolean {
  const version = versionOf(object);
  return listVersion !== '' && (version === '' || isOlderVersion(listVersion, version));
}

function isSameVersion(a: Stored, b: Stored): boolean {
  return (
    a === b ||
    (isSameObject(a.metadata.uid, b.metadata.uid) && versionOf(a) !== '' && versionOf(a) === versionOf(b))
  );
}

function isSameObject(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

/** Whether the stored object was created after the object of the same name that the event is about. */
function isLaterObject(known: Stored, object: Stored): boolean {
  return !isSameObject(known.metadata.uid, object.metadata.uid) && isOlder(object, known);
}

/**
 * Resource versions of a cluster only grow, so an older one under the same name belongs to the deleted
 * object.
 */
function isBefore(object: Stored, deletion: Deletion): boolean {
  const version = versionOf(object);
  if (isSameObject(object.metadata.uid, deletion.uid)) return true;
  return version !== '' && (version === deletion.version || isOlderVersion(version, deletion.version));
}
