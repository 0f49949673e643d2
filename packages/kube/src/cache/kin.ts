import type { KubeObject } from '../client/kind.ts';
import { RecentMap } from '../runtime/recent-map.ts';

/** Owners that are told apart; of older ones any object will do. */
const mostOwners = 10_000;

/** For each owner the object of it that was seen last, to which others of it are likely to be alike. */
export class Kin<T extends KubeObject> {
  readonly #byOwner = new RecentMap<T>(mostOwners);
  #last: T | undefined;

  of(object: T): T | undefined {
    return this.#byOwner.get(ownerOf(object)) ?? this.#last;
  }

  add(object: T): void {
    this.#byOwner.set(ownerOf(object), object);
    this.#last = object;
  }
}

function ownerOf({ metadata }: KubeObject): string {
  const [first] = metadata?.ownerReferences ?? [];
  return first?.uid ?? '';
}
