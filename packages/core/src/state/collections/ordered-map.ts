/** Bounds the number of keys that were added and deleted again without a read. */
const maxUnread = 64;

/**
 * A map whose `values` are sorted by key, whatever the insertion order. Reads are cheap: only keys added
 * since the last read are sorted in, and without changes the same array is returned.
 */
export class OrderedMap<T> {
  readonly #entries = new Map<string, T>();
  #keys: string[] = [];
  #newKeys: string[] = [];
  #hasDeletions = false;
  #values: readonly T[] | undefined = [];

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    if (!this.#entries.has(key)) this.#newKeys.push(key);
    this.#entries.set(key, value);
    this.#values = undefined;
  }

  delete(key: string): boolean {
    if (!this.#entries.delete(key)) return false;
    this.#hasDeletions = true;
    this.#values = undefined;
    if (this.#newKeys.length > maxUnread + 2 * this.#entries.size) this.#order();
    return true;
  }

  unordered(): Iterable<T> {
    return this.#entries.values();
  }

  values(): readonly T[] {
    this.#values ??= this.#read();
    return this.#values;
  }

  #read(): readonly T[] {
    this.#order();
    const values: T[] = [];
    for (const key of this.#keys) {
      const value = this.#entries.get(key);
      if (value !== undefined) values.push(value);
    }
    return values;
  }

  /** A key that was deleted and added again is in both lists, so the old position is dropped. */
  #order(): void {
    if (this.#hasDeletions) {
      const added = new Set(this.#newKeys.filter((key) => this.#entries.has(key)));
      this.#keys = this.#keys.filter((key) => this.#entries.has(key) && !added.has(key));
      this.#newKeys = [...added];
    }
    if (this.#newKeys.length > 0) this.#keys = [...this.#keys, ...this.#newKeys].sort(byText);
    this.#newKeys = [];
    this.#hasDeletions = false;
  }
}

export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
