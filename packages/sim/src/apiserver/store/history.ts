import type { StoreChange } from './change.ts';

/**
 * The most recent changes, like the watch cache of kube-apiserver: watches resume from it, and later pages of
 * a list are computed from it.
 */
export class History {
  readonly #capacity: number;
  #changes: StoreChange[] = [];
  #oldest: number;

  constructor(capacity: number, revision: number) {
    this.#capacity = capacity;
    this.#oldest = revision;
  }

  /** All changes after this revision are available. */
  get oldest(): number {
    return this.#oldest;
  }

  add(change: StoreChange): void {
    this.#changes.push(change);
    // Drop many at once: dropping one per change would copy the whole array each time.
    if (this.#changes.length >= 2 * this.#capacity) this.#dropOldest(this.#changes.length - this.#capacity);
  }

  since(revision: number): readonly StoreChange[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  /** Drops changes that were rolled back. */
  forgetAfter(revision: number): void {
    this.#changes.length = this.#indexAfter(revision);
    this.#oldest = Math.min(this.#oldest, revision);
  }

  #dropOldest(count: number): void {
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
