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
  #all: readonly ServedKind[] | undefined;
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
    this.#all ??= [...this.#kinds.values()];
    return this.#all;
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#kinds.get(`${group}/${version}/${plural}`);
  }

  /** The versions of a resource, in the order they were added. */
  versionsOf(collection: string): readonly ServedKind[] {
    return this.all().filter((kind) => collectionOf(kind) === collection);
  }

  byKind(apiVersion: string, kind: string): ServedKind | undefined {
    return this.all().find((served) => served.kind === kind && apiVersionOf(served) === apiVersion);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((kind) => kind.group === group && kind.version === version);
  }

  /** Takes the place of all versions of the resource; none to take it away. */
  replace(collection: string, kinds: readonly ServedKind[]): void {
    for (const [key, kind] of this.#kinds) if (collectionOf(kind) === collection) this.#kinds.delete(key);
    for (const kind of kinds) this.#kinds.set(keyOf(kind), kind);
    this.#all = undefined;
    this.#generation += 1;
  }
}

function keyOf({ group, version, plural }: ServedKind): string {
  return `${group}/${version}/${plural}`;
}
