import type { DurationMs } from '@karpenter/core/values';
import type { StoreChange } from './change.ts';

export interface HistoryLimits {
  readonly changes: number;
  /** Of the objects in JSON. Large objects would otherwise exhaust the memory long before the count does. */
  readonly bytes: number;
  /** Older changes are dropped, except for the most recent `leastChanges`. */
  readonly age: DurationMs;
  readonly leastChanges: number;
}

export interface HistoryOptions {
  readonly limits: HistoryLimits;
  /** All changes up to this revision are missing. */
  readonly revision: number;
  readonly now: () => number;
}

/**
 * The most recent changes, like the watch cache of kube-apiserver: watches resume from it, and later pages of
 * a list are computed from it. Its age is limited too, so that the memory stays level (ADR 0070).
 */
export class History {
  readonly #limits: HistoryLimits;
  readonly #now: () => number;
  #changes: StoreChange[] = [];
  /** When each change was added. */
  #times: number[] = [];
  #bytes = 0;
  #oldest: number;

  constructor({ limits, revision, now }: HistoryOptions) {
    this.#limits = limits;
    this.#now = now;
    this.#oldest = revision;
  }

  /** All changes after this revision are available. */
  get oldest(): number {
    return this.#oldest;
  }

  add(change: StoreChange): void {
    this.#changes.push(change);
    this.#times.push(this.#now());
    this.#bytes += change.entry.bytes;
    if (this.#exceedsLimits()) this.#dropOldest();
  }

  since(revision: number): readonly StoreChange[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  /** Drops changes that were rolled back. */
  forgetAfter(revision: number): void {
    const first = this.#indexAfter(revision);
    for (const { entry } of this.#changes.splice(first)) this.#bytes -= entry.bytes;
    this.#times.length = first;
    this.#oldest = Math.min(this.#oldest, revision);
  }

  /** Exceeded with a margin, so that many changes are dropped at once: each drop copies the whole array. */
  #exceedsLimits(): boolean {
    const { changes, bytes, age, leastChanges } = this.#limits;
    const oldest = this.#times[0] ?? 0;
    return (
      this.#changes.length >= 2 * changes ||
      this.#bytes > bytes ||
      (this.#changes.length >= 2 * leastChanges && this.#now() - oldest > 1.2 * age)
    );
  }

  /** Drops to the limits of changes and age, and to half of the limit of bytes. */
  #dropOldest(): void {
    const { bytes } = this.#limits;
    const maxBytes = this.#bytes > bytes ? bytes / 2 : bytes;
    let count = Math.max(this.#countAboveLimit(), this.#countTooOld());
    let left = this.#bytes;
    for (const [index, { entry }] of this.#changes.entries()) {
      if (index >= count && left <= maxBytes) break;
      left -= entry.bytes;
      count = Math.max(count, index + 1);
    }
    this.#bytes = left;
    this.#oldest = this.#changes[count - 1]?.revision ?? this.#oldest;
    this.#changes = this.#changes.slice(count);
    this.#times = this.#times.slice(count);
  }

  #countAboveLimit(): number {
    return Math.max(0, this.#changes.length - this.#limits.changes);
  }

  /** Times are not in order if the clock was set back; counting up to the first recent one is enough then. */
  #countTooOld(): number {
    const { age, leastChanges } = this.#limits;
    const since = this.#now() - age;
    const firstRecent = this.#times.findIndex((time) => time >= since);
    return Math.min(firstRecent, Math.max(0, this.#times.length - leastChanges));
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
