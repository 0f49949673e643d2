import type { Instant } from './clock.ts';

interface Entry {
  readonly key: string;
  readonly at: Instant;
}

/** Keys by the time they are due. A key is in it once, with the earliest of the times it was given. */
export class DeadlineHeap {
  readonly #entries: Entry[] = [];
  readonly #due = new Map<string, Instant>();

  get size(): number {
    return this.#due.size;
  }

  get earliest(): Instant | undefined {
    this.#dropOutdated();
    return this.#entries[0]?.at;
  }

  set(key: string, at: Instant): void {
    const present = this.#due.get(key);
    if (present !== undefined && present <= at) return;
    this.#due.set(key, at);
    this.#entries.push({ key, at });
    this.#rise(this.#entries.length - 1);
  }

  /** Takes out a key that is due by then, the earliest first. */
  takeDue(now: Instant): string | undefined {
    this.#dropOutdated();
    const first = this.#entries[0];
    if (first === undefined || first.at > now) return undefined;
    this.#removeFirst();
    this.#due.delete(first.key);
    return first.key;
  }

  /** An entry that an earlier one for the same key has replaced is only skipped, when it comes up. */
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
