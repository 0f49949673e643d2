/** Keys that come and go unread must not pile up. */
const mostUnread = 64;

/**
 * Entries by key, read out in the order of their keys whatever order they came in. Reading is cheap: only
 * keys that came since the last time are sorted in, and nothing changed gives the same array again.
 */
export class OrderedMap<T> {
  readonly #entries = new Map<string, T>();
  #keys: string[] = [];
  #newKeys: string[] = [];
  #hasLost = false;
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
    this.#hasLost = true;
    this.#values = undefined;
    if (this.#newKeys.length > mostUnread + 2 * this.#entries.size) this.#order();
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

  /** A key may have gone and come back, and then stands in both lists. */
  #order(): void {
    if (this.#hasLost) {
      const added = new Set(this.#newKeys.filter((key) => this.#entries.has(key)));
      this.#keys = this.#keys.filter((key) => this.#entries.has(key) && !added.has(key));
      this.#newKeys = [...added];
    }
    if (this.#newKeys.length > 0) this.#keys = [...this.#keys, ...this.#newKeys].sort(byText);
    this.#newKeys = [];
    this.#hasLost = false;
  }
}

export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
