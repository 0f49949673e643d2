import type { ServedKind } from '../kinds/served-kind.ts';

/**
 * The store's collection of a resource, such as `pods` or `nodepools.karpenter.sh`. All versions share it.
 */
export function collectionOf({
  group,
  plural,
  storedAs,
}: Pick<ServedKind, 'group' | 'plural' | 'storedAs'>): string {
  const stored = storedAs ?? { group, plural };
  return stored.group === '' ? stored.plural : `${stored.plural}.${stored.group}`;
}

/** The apiVersion as objects have it: `v1`, `apps/v1`. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The kinds that the server serves now. Custom kinds appear and disappear with their definitions. */
export class KindRegistry {
  readonly #kinds = new Map<string, ServedKind>();
  #index: KindIndex | undefined;
  #generation = 0;

  constructor(kinds: readonly ServedKind[]) {
    for (const kind of kinds) this.#kinds.set(keyOf(kind), kind);
  }

  /** Increases with every change, so that documents derived from the registry can be cached until then. */
  get generation(): number {
    return this.#generation;
  }

  /** Returns the same array until the registry changes. */
  all(): readonly ServedKind[] {
    return this.#indexed().all;
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#kinds.get(`${group}/${version}/${plural}`);
  }

  /** Served versions of a resource, in the order in which they were added. */
  versionsOf(collection: string): readonly ServedKind[] {
    return this.#indexed().byCollection.get(collection) ?? [];
  }

  byKind(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#indexed().byKind.get(`${apiVersion} ${kind}`);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#indexed().apiVersions.has(apiVersionOf({ group, version }));
  }

  /** Replaces all versions of a resource; an empty list removes it. */
  replace(collection: string, kinds: readonly ServedKind[]): void {
    for (const [key, kind] of this.#kinds) if (collectionOf(kind) === collection) this.#kinds.delete(key);
    for (const kind of kinds) this.#kinds.set(keyOf(kind), kind);
    this.#index = undefined;
    this.#generation += 1;
  }

  #indexed(): KindIndex {
    this.#index ??= indexOf([...this.#kinds.values()]);
    return this.#index;
  }
}

/**
 * Lookup tables, rebuilt after a change: requests and the garbage collector look up a kind for each object,
 * and definitions change rarely.
 */
interface KindIndex {
  readonly all: readonly ServedKind[];
  readonly byCollection: ReadonlyMap<string, readonly ServedKind[]>;
  /** By apiVersion and kind. */
  readonly byKind: ReadonlyMap<string, ServedKind>;
  readonly apiVersions: ReadonlySet<string>;
}

function indexOf(all: readonly ServedKind[]): KindIndex {
  const byCollection = new Map<string, ServedKind[]>();
  const byKind = new Map<string, ServedKind>();
  for (const kind of all) {
    const collection = collectionOf(kind);
    const versions = byCollection.get(collection) ?? [];
    versions.push(kind);
    byCollection.set(collection, versions);
    const name = `${apiVersionOf(kind)} ${kind.kind}`;
    // The first wins: a later resource with the same kind is a separate resource that returns objects of it.
    if (!byKind.has(name)) byKind.set(name, kind);
  }
  return { all, byCollection, byKind, apiVersions: new Set(all.map(apiVersionOf)) };
}

function keyOf({ group, version, plural }: ServedKind): string {
  return `${group}/${version}/${plural}`;
}
