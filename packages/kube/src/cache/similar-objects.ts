import type { KubeObject } from '../client/index.ts';
import { RecentMap } from '../runtime/index.ts';

/** Owners to remember. For the others the last object of the kind serves instead. */
const maxOwners = 10_000;

/**
 * Remembers the last object of each owner. Objects of one owner differ little, so a new one can share most of
 * its parts with the last (see shared-parts.ts).
 */
export class SimilarObjects<T extends KubeObject> {
  readonly #byOwner = new RecentMap<T>(maxOwners);
  #last: T | undefined;

  /** Returns the last object of the same owner, else the last object of any owner. */
  of(object: T): T | undefined {
    return this.#byOwner.get(ownerOf(object)) ?? this.#last;
  }

  add(object: T): void {
    this.#byOwner.set(ownerOf(object), object);
    this.#last = object;
  }
}

/** UID of the first owner reference; objects without an owner count as those of one owner. */
function ownerOf({ metadata }: KubeObject): string {
  const [first] = metadata?.ownerReferences ?? [];
  return first?.uid ?? '';
}
