import type { KindList } from '@karpenter/kube/cache';
import { collectionPath, type Kind, type KubeObject } from '@karpenter/kube/client';

/** The objects of a cluster by kind. Immutable: a change gives new lists. */
export class ObjectLists {
  readonly #byKind: ReadonlyMap<string, KindList>;

  constructor(lists: readonly KindList[]) {
    this.#byKind = new Map(lists.map((list) => [collectionPath(list.kind), list]));
  }

  get all(): readonly KindList[] {
    return [...this.#byKind.values()];
  }

  /** Empty for a kind that has no list. */
  of<T extends KubeObject>(kind: Kind<T>): readonly T[] {
    // The cast is safe because the map keys each list by its kind.
    return (this.#byKind.get(collectionPath(kind))?.objects ?? []) as readonly T[];
  }

  with<T extends KubeObject>(kind: Kind<T>, objects: readonly T[]): ObjectLists {
    return new ObjectLists([...this.all, { kind, objects } as unknown as KindList]);
  }

  /** Keeps the objects of the kind for which the test holds. */
  filter<T extends KubeObject>(kind: Kind<T>, isKept: (object: T) => boolean): ObjectLists {
    return this.with(kind, this.of(kind).filter(isKept));
  }
}
