import type { StoreChange } from './change.ts';

export interface HistoryLimits {
  readonly changes: number;
  /** Of the objects in JSON. Large objects would otherwise exhaust the memory long before the count does. */
  readonly bytes: number;
}

/**
 * The most recent changes, like the watch cache of kube-apiserver: watches resume from it, and later pages of
 * a list are computed from it.
 */
export class History {
  readonly #limits: HistoryLimits;
  #changes: StoreChange[] = [];
  #bytes = 0;
  #oldest: number;

  constructor(limits: HistoryLimits, revision: number) {
    this.#limits = limits;
    this.#oldest = revision;
  }

  /** All changes after this revision are available. */
  get oldest(): number {
    return this.#oldest;
  }

  add(change: StoreChange): void {
    this.#changes.push(change);
    this.#bytes += change.entry.bytes;
    const { changes, bytes } = this.#limits;
    // Drop many at once: dropping one per change would copy the whole array each time.
    if (this.#changes.length >= 2 * changes || this.#bytes > bytes) this.#dropOldest();
  }

  since(revision: number): readonly StoreChange[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  /** Drops changes that were rolled back. */
  forgetAfter(revision: number): void {
    for (const { entry } of this.#changes.splice(this.#indexAfter(revision))) this.#bytes -= entry.bytes;
    this.#oldest = Math.min(this.#oldest, revision);
  }

  /** Drops to the limit of changes, and to half of the limit of bytes. */
  #dropOldest(): void {
    const { changes, bytes } = this.#limits;
    const most = this.#bytes > bytes ? bytes / 2 : bytes;
    let count = Math.max(0, this.#changes.length - changes);
    let left = this.#bytes;
    for (const [index, { entry }] of this.#changes.entries()) {
      if (index >= count && left <= most) break;
      left -= entry.bytes;
      count = Math.max(count, index + 1);
    }
    this.#bytes = left;
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
