import type { Instant } from '../clock/index.ts';

interface Entry {
  readonly key: string;
  readonly at: Instant;
}

/**
 * Min-heap of keys by due time, for the delayed keys of a work queue. Each key
 * counts once, with the earliest of its times. A replaced entry stays in the heap
 * until it reaches the top, because removing it from the middle would need a search.
 */
export class DeadlineHeap {
  readonly #entries: Entry[] = [];
  /** Due time per key. An entry whose time differs from this is outdated. */
  readonly #due = new Map<string, Instant>();

  get size(): number {
    return this.#due.size;
  }

  get earliest(): Instant | undefined {
    this.#dropOutdated();
    return this.#entries[0]?.at;
  }

  /** Adds a key. A later time than the one it has is ignored. */
  set(key: string, at: Instant): void {
    const present = this.#due.get(key);
    if (present !== undefined && present <= at) return;
    this.#due.set(key, at);
    this.#entries.push({ key, at });
    this.#rise(this.#entries.length - 1);
  }

  /** Removes and returns the key with the earliest due time, if it is due at `now`. */
  takeDue(now: Instant): string | undefined {
    this.#dropOutdated();
    const first = this.#entries[0];
    if (first === undefined || first.at > now) return undefined;
    this.#removeFirst();
    this.#due.delete(first.key);
    return first.key;
  }

  /** Removes outdated entries from the top of the heap. */
  #dropOutdated(): void {
    for (let first = this.#entries[0]; first !== undefined; first = this.#entries[0]) {
      if (this.#due.get(first.key) === first.at) return;
      this.#removeFirst();
    }
  }

  #removeFirst(): void {
    const last = this.#entries.pop();
    if (last === undefined || this.#entries.length === 0) return;
    this.#entries[0] = last;
    this.#sink(0);
  }

  #at(index: number): Instant {
    return this.#entries[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #rise(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  #sink(from: number): void {
    for (let index = from; ; ) {
      const left = 2 * index + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(index) <= this.#at(child)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#entries[one], this.#entries[other]];
    if (a === undefined || b === undefined) return;
    this.#entries[one] = b;
    this.#entries[other] = a;
  }
}
