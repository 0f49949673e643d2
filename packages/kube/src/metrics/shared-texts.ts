import { RecentMap } from '../runtime/index.ts';

/** Larger than the number of gauges of all objects that are reconciled at the same time. */
const capacity = 1_024;

/**
 * Deduplicates label texts: all gauges of a node have the same labels, of up to a kilobyte, and a cluster of 10,000
 * nodes has 400,000 gauges. Equal texts are created shortly after one another, so it is enough to keep recent ones.
 */
export class SharedTexts {
  readonly #recent = new RecentMap<string>(capacity);

  /** Returns the kept equal text, so that the garbage collector can free this one. */
  of(text: string): string {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    this.#recent.set(text, text);
    return text;
  }
}
