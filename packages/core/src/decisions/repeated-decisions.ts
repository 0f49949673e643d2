import type { DecisionDraft, DecisionRecorder } from './decision-recorder.ts';

/** Longer than the five minutes after which a search without result is repeated. */
const sameWithinMs = 15 * 60_000;
/** Of objects with a reason; the longest unseen is forgotten first. */
const maxKeys = 10_000;

interface Seen {
  readonly id: string;
  readonly at: number;
}

/**
 * Records a decision once and counts it when it comes again, as refusals of the same node do in every pass. What
 * has not come for a quarter of an hour is recorded again.
 */
export class RepeatedDecisions {
  readonly #recorder: DecisionRecorder;
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(recorder: DecisionRecorder, now: () => number) {
    this.#recorder = recorder;
    this.#now = now;
  }

  /** `key` says what is decided about which object; equal keys are repeats. */
  record(key: string, draft: () => DecisionDraft): void {
    if (!this.#recorder.isOn) return;
    const at = this.#now();
    const seen = this.#seen.get(key);
    const isRepeat = seen !== undefined && at - seen.at <= sameWithinMs;
    // A repeat of what the log has dropped is not recorded either: more nodes than fit would replace each other.
    if (isRepeat) this.#recorder.repeat(seen.id);
    const id = isRepeat ? seen.id : this.#recorder.record(draft());
    // Deleting first moves the key to the end of the insertion order.
    this.#seen.delete(key);
    this.#seen.set(key, { id, at });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > maxKeys && oldest !== undefined) this.#seen.delete(oldest);
  }
}
