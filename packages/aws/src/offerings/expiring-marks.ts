import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

/** How long offerings stay unavailable after failed launches. */
export interface Backoff {
  /** Lifetime of the first mark. */
  readonly first: DurationMs;
  /** Maximum lifetime; it doubles with each repeated failure up to this. */
  readonly longest: DurationMs;
  /** Time after the end of a mark after which the next failure counts as the first again. */
  readonly quiet: DurationMs;
}

interface Mark {
  readonly until: Instant;
  /** Failures since the last reset. */
  readonly failures: number;
  isOver: boolean;
}

export interface MarkOptions {
  readonly now: () => Instant;
  readonly backoff: Backoff;
  /** Called when a mark starts and when it ends. */
  readonly onChange: (key: string) => void;
}

/**
 * Marks on keys that expire by themselves. A mark that is set again soon after it
 * expired lasts twice as long. One that is set again before it expires is only extended,
 * because one fleet call reports the same shortage to every launch in its batch.
 */
export class ExpiringMarks {
  readonly #options: MarkOptions;
  readonly #marks = new Map<string, Mark>();
  /** No mark expires or can be forgotten before this time, so that `sweep` is cheap until then. */
  #nextEnd: Instant = Number.POSITIVE_INFINITY;

  constructor(options: MarkOptions) {
    this.#options = options;
  }

  /** Sets or extends a mark. Returns its lifetime. */
  mark(key: string): DurationMs {
    this.sweep();
    const now = this.#options.now();
    const last = this.#marks.get(key);
    const failures = failuresWith(last);
    const span = this.#spanOf(failures);
    const until = now + span;
    this.#marks.set(key, { until, failures, isOver: false });
    this.#nextEnd = Math.min(this.#nextEnd, until);
    if (last?.isOver !== false) this.#options.onChange(key);
    return span;
  }

  has(key: string): boolean {
    const mark = this.#marks.get(key);
    return mark !== undefined && this.#options.now() < mark.until;
  }

  /**
   * Resets the failure count of a key, so that its next mark
   * is short again. An active mark stays until it expires.
   */
  resetFailures(key: string): void {
    const mark = this.#marks.get(key);
    if (mark !== undefined) this.#marks.set(key, { ...mark, failures: 0 });
  }

  /** Removes the matching marks, including active ones. */
  drop(matches: (key: string) => boolean): void {
    for (const [key, { isOver }] of this.#marks) {
      if (!matches(key)) continue;
      this.#marks.delete(key);
      if (!isOver) this.#options.onChange(key);
    }
  }

  /** Reports expired marks to `onChange`, and removes those past the quiet time. */
  sweep(): void {
    const now = this.#options.now();
    if (now < this.#nextEnd) return;
    this.#nextEnd = Number.POSITIVE_INFINITY;
    for (const [key, mark] of this.#marks) this.#sweepMark(key, mark, now);
  }

  #sweepMark(key: string, mark: Mark, now: Instant): void {
    const forgottenAt = mark.until + this.#options.backoff.quiet;
    if (now >= mark.until && !mark.isOver) {
      mark.isOver = true;
      this.#options.onChange(key);
    }
    if (now >= forgottenAt) this.#marks.delete(key);
    else this.#nextEnd = Math.min(this.#nextEnd, mark.isOver ? forgottenAt : mark.until);
  }

  #spanOf(failures: number): DurationMs {
    const { first, longest } = this.#options.backoff;
    return durationMs(Math.min(first * 2 ** (failures - 1), longest));
  }
}

/** An active mark keeps its count: the report is about the same failure. */
function failuresWith(last: Mark | undefined): number {
  if (last === undefined) return 1;
  return last.isOver ? last.failures + 1 : Math.max(1, last.failures);
}
