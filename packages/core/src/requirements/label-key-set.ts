import { BitSet } from './bit-set.ts';
import type { LabelKey } from './vocabulary.ts';

/** A set of label keys of one vocabulary, such as the well-known ones; a lookup is one bit test. */
export class LabelKeySet implements Iterable<LabelKey> {
  static readonly empty = new LabelKeySet([]);

  readonly #ids: BitSet;
  readonly #byName: readonly LabelKey[];

  constructor(keys: Iterable<LabelKey>) {
    const unique = [...new Set(keys)];
    this.#ids = BitSet.of(unique.map((key) => key.id));
    this.#byName = unique.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  has(key: LabelKey): boolean {
    return this.#ids.has(key.id);
  }

  /** Sorted by name. */
  [Symbol.iterator](): Iterator<LabelKey> {
    return this.#byName[Symbol.iterator]();
  }
}
