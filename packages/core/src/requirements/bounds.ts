import { parseInt64 } from './int64.ts';
import type { LabelKey } from './vocabulary.ts';

/**
 * The integers that a requirement allows, both ends inclusive. A value that is not an integer is never
 * within.
 */
export class Bounds {
  readonly gte: bigint | undefined;
  readonly lte: bigint | undefined;
  // The same ends as doubles. Rounding preserves order, so they decide all comparisons except of large
  // equals.
  readonly #low: number;
  readonly #high: number;

  constructor(gte: bigint | undefined, lte: bigint | undefined) {
    this.gte = gte;
    this.lte = lte;
    this.#low = gte === undefined ? Number.NEGATIVE_INFINITY : Number(gte);
    this.#high = lte === undefined ? Number.POSITIVE_INFINITY : Number(lte);
  }

  contains(integer: bigint): boolean {
    return (this.gte === undefined || integer >= this.gte) && (this.lte === undefined || integer <= this.lte);
  }

  containsText(value: string): boolean {
    const integer = parseInt64(value);
    return integer !== undefined && this.contains(integer);
  }

  /** Whether the value with this index is within. Exact, but avoids big integers below 2^53. */
  containsValue(key: LabelKey, index: number): boolean {
    const number = key.number(index);
    // Negated, because NaN, which stands for a value that is not an integer, must be outside.
    if (!(number >= this.#low && number <= this.#high)) return false;
    if (Number.isSafeInteger(number)) return true;
    const integer = key.integer(index);
    return integer !== undefined && this.contains(integer);
  }

  /** Whether no integer is within both. */
  crosses(other: Bounds): boolean {
    return this.startsAfter(other) || other.startsAfter(this);
  }

  equals(other: Bounds): boolean {
    return this.gte === other.gte && this.lte === other.lte;
  }

  and(other: Bounds): Bounds {
    const gte =
      other.gte === undefined || (this.gte !== undefined && this.gte >= other.gte) ? this.gte : other.gte;
    const lte =
      other.lte === undefined || (this.lte !== undefined && this.lte <= other.lte) ? this.lte : other.lte;
    const both = new Bounds(gte, lte);
    return both.equals(this) ? this : both;
  }

  private startsAfter(other: Bounds): boolean {
    return this.gte !== undefined && other.lte !== undefined && this.gte > other.lte;
  }
}
