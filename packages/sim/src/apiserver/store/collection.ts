import type { Entry } from './entry.ts';

/** The current objects of one resource, listed in key order. */
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

  /** The sorted list is cached until the next change: many clients list between two writes. */
  sorted(): readonly Entry[] {
    this.#sorted ??= inKeyOrder([...this.#entries.values()]);
    return this.#sorted;
  }
}

export function inKeyOrder(entries: Entry[]): readonly Entry[] {
  // `key` is computed on access; compute it once per entry instead of once per comparison.
  return entries
    .map((entry) => ({ key: entry.key, entry }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
