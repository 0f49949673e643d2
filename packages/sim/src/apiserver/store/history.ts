import type { Change } from './change.ts';

/** The latest changes, so that watchers can go on where they stopped and pages of a list fit together. */
export class History {
  readonly #capacity: number;
  #changes: Change[] = [];
  #oldest: number;

  constructor(capacity: number, revision: number) {
    this.#capacity = capacity;
    this.#oldest = revision;
  }

  /** Everything after this revision is still known. */
  get oldest(): number {
    return this.#oldest;
  }

  add(change: Change): void {
    this.#changes.push(change);
    // Cut in large pieces: cutting one by one would move the whole array each time.
    if (this.#changes.length >= 2 * this.#capacity) this.#forget(this.#changes.length - this.#capacity);
  }

  since(revision: number): readonly Change[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  /** Changes that were undone never happened. */
  forgetAfter(revision: number): void {
    this.#changes.length = this.#indexAfter(revision);
    this.#oldest = Math.min(this.#oldest, revision);
  }

  #forget(count: number): void {
    this.#oldest = this.#changes[count - 1]?.revision ?? this.#oldest;
    this.#changes = this.#changes.slice(count);
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const change = this.#changes[middle];
      if (change !== undefined && change.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
