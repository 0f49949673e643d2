import type { Entry } from './entry.ts';

/** The present objects of one resource, in the order of their keys. */
export class Collection {
  readonly #entries = new Map<string, Entry>();
  #sorted: readonly Entry[] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  set(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#sorted = undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#sorted = undefined;
  }

  /** Kept until the next change: many readers list between two writes. */
  sorted(): readonly Entry[] {
    this.#sorted ??= inKeyOrder([...this.#entries.values()]);
    return this.#sorted;
  }
}

export function inKeyOrder(entries: Entry[]): readonly Entry[] {
  return entries
    .map((entry) => ({ key: entry.key, entry }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
