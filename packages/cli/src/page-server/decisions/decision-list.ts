import type { Decision } from '@karpenter/core/decisions';
import type { DecisionSource } from './decision-source.ts';

const maxDecisions = 1_000;

/** The latest decisions in the order of their ids, which is that of time; the oldest go first. */
export class DecisionList implements DecisionSource {
  readonly #listeners = new Set<(decision: Decision) => void>();
  #decisions: Decision[] = [];

  list(): readonly Decision[] {
    return this.#decisions;
  }

  get newest(): Decision | undefined {
    return this.#decisions.at(-1);
  }

  /** A decision with a known id replaces that one. */
  add(decision: Decision): void {
    const later = this.#decisions.findLastIndex(({ id }) => id <= decision.id);
    const isKnown = this.#decisions[later]?.id === decision.id;
    this.#decisions.splice(isKnown ? later : later + 1, isKnown ? 1 : 0, decision);
    if (this.#decisions.length > maxDecisions) this.#decisions = this.#decisions.slice(-maxDecisions);
    for (const listener of this.#listeners) listener(decision);
  }

  subscribe(listener: (decision: Decision) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
