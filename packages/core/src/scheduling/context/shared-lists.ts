/**
 * Lists by key. A copy shares every list until one of the two adds to it: copying the 200,000 pods of a large
 * cluster list by list would hold up the event loop.
 */
export class SharedLists<Item> {
  readonly #lists: Map<string, Item[]>;
  /** Keys of the lists that no copy shares. */
  readonly #own = new Set<string>();

  constructor(lists: Iterable<readonly [string, Item[]]> = []) {
    this.#lists = new Map(lists);
  }

  get(key: string): readonly Item[] {
    return this.#lists.get(key) ?? [];
  }

  values(): Iterable<readonly Item[]> {
    return this.#lists.values();
  }

  push(key: string, item: Item): void {
    const list = this.#lists.get(key);
    if (list !== undefined && this.#own.has(key)) {
      list.push(item);
      return;
    }
    this.#lists.set(key, list === undefined ? [item] : [...list, item]);
    this.#own.add(key);
  }

  copy(): SharedLists<Item> {
    // From here on the lists are shared, so this side too copies a list before it adds to it.
    this.#own.clear();
    return new SharedLists(this.#lists);
  }
}
