/** A binary heap; the first item in the given order comes out first. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** All items, in no particular order. */
  get items(): readonly T[] {
    return this.#items;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const child = this.#smallerChild(index);
      const below = items[child];
      if (below === undefined || !this.#isBefore(below, item)) break;
      items[index] = below;
      index = child;
    }
    items[index] = item;
  }

  #smallerChild(index: number): number {
    const left = 2 * index + 1;
    const a = this.#items[left];
    const b = this.#items[left + 1];
    return a !== undefined && b !== undefined && this.#isBefore(b, a) ? left + 1 : left;
  }
}
