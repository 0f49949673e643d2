import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

export interface Backoff {
  /** How long an offering is left alone the first time. */
  readonly first: DurationMs;
  /** It is left alone twice as long each time that it fails again, up to this. */
  readonly longest: DurationMs;
  /** After this long without trouble, the next failure counts as a first one again. */
  readonly quiet: DurationMs;
}

interface Mark {
  readonly until: Instant;
  /** How often it was set anew without being forgiven in between. */
  readonly failures: number;
  isOver: boolean;
}

export interface MarkOptions {
  readonly now: () => Instant;
  readonly backoff: Backoff;
  /** CandidateMessage when a mark begins to hold and when it no longer does. */
  readonly onChange: (key: string) => void;
}

/**
 * Marks that run out by themselves. One that is set anew soon after it ran out holds twice as long; one that is
 * set while it holds (a fleet reports the same shortage to all who shared it) is only prolonged.
 */
export class ExpiringMarks {
  readonly #options: MarkOptions;
  readonly #marks = new Map<string, Mark>();
  /** Nothing runs out before. */
  #nextEnd: Instant = Number.POSITIVE_INFINITY;

  constructor(options: MarkOptions) {
    this.#options = options;
  }

  /** Answers with how long the mark holds. */
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

  /** Forgets that the mark was ever set; one that still holds goes on to its end. */
  forgive(key: string): void {
    const mark = this.#marks.get(key);
    if (mark !== undefined) this.#marks.set(key, { ...mark, failures: 0 });
  }

  /** Forgets those of the marks, whether they hold or not. */
  drop(isMeant: (key: string) => boolean): void {
    for (const [key, { isOver }] of this.#marks) {
      if (!isMeant(key)) continue;
      this.#marks.delete(key);
      if (!isOver) this.#options.onChange(key);
    }
  }

  /** Tells of marks that have run out, and forgets those that have long. */
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

/** A mark that still holds is told of the failure that set it once more. */
function failuresWith(last: Mark | undefined): number {
  if (last === undefined) return 1;
  return last.isOver ? last.failures + 1 : Math.max(1, last.failures);
}
