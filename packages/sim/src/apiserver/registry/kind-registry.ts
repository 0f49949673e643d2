import type { ServedKind } from '../kinds/served-kind.ts';

/** Every version of a resource keeps its objects in one collection: `pods`, `nodepools.karpenter.sh`. */
export function collectionOf({
  group,
  plural,
  storedAs,
}: Pick<ServedKind, 'group' | 'plural' | 'storedAs'>): string {
  const stored = storedAs ?? { group, plural };
  return stored.group === '' ? stored.plural : `${stored.plural}.${stored.group}`;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

/** What the server serves at the moment; custom kinds come and go. */
export class KindRegistry {
  readonly #kinds = new Map<string, ServedKind>();
  #index: KindIndex | undefined;
  #generation = 0;

  constructor(kinds: readonly ServedKind[]) {
    for (const kind of kinds) this.#kinds.set(keyOf(kind), kind);
  }

  /** Changes with every change of what is served: what is derived from it can be kept until then. */
  get generation(): number {
    return this.#generation;
  }

  /** The same array until something changes. */
  all(): readonly ServedKind[] {
    return this.#indexed().all;
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#kinds.get(`${group}/${version}/${plural}`);
  }

  /** The versions of a resource, in the order they were added. */
  versionsOf(collection: string): readonly ServedKind[] {
    return this.#indexed().byCollection.get(collection) ?? [];
  }

  byKind(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#indexed().byKind.get(`${apiVersion} ${kind}`);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#indexed().apiVersions.has(apiVersionOf({ group, version }));
  }

  /** Takes the place of all versions of the resource; none to take it away. */
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

/** Requests and the garbage collector ask for each object; definitions change rarely. */
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
    // The first of a name counts: later ones are resources of their own that hold the same kind.
    if (!byKind.has(name)) byKind.set(name, kind);
  }
  return { all, byCollection, byKind, apiVersions: new Set(all.map(apiVersionOf)) };
}

function keyOf({ group, version, plural }: ServedKind): string {
  return `${group}/${version}/${plural}`;
}
