import { RecentMap } from '../runtime/index.ts';

/** More than the gauges of the objects that are reconciled at the same time. */
const capacity = 1_024;

/**
 * Label texts that several metrics of one object have in common: the gauges of a node differ in little but their
 * names, and a cluster of 10,000 nodes has 400,000 of them, with up to a kilobyte of labels each. Equal texts are
 * made shortly after one another, so that the recent ones suffice.
 */
export class SharedTexts {
  readonly #recent = new RecentMap<string>(capacity);

  /** The text that was seen before, so that this one can be collected. */
  of(text: string): string {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    this.#recent.set(text, text);
    return text;
  }
}
