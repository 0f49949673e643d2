import type { Clock } from '@karpenter/kube/runtime';
import type { ContainerLogLine } from '../apiserver/index.ts';

/** Enough for hours of a small cluster, and a few megabytes at most. */
const mostLines = 10_000;

/** The log of a program of this process, of which the last lines are kept. */
export class LiveLog {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #lines: ContainerLogLine[] = [];
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get lines(): readonly ContainerLogLine[] {
    return this.#lines;
  }

  /** Adds a text of one or more lines. */
  append(text: string): void {
    for (const line of text.replace(/\n$/, '').split('\n')) {
      this.#lines.push({ sequence: this.#next, at: this.#clock.now(), text: line });
      this.#next += 1;
    }
    // In large steps, since each step copies what is kept.
    if (this.#lines.length > 2 * mostLines) this.#lines = this.#lines.slice(-mostLines);
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each addition. Returns a function that unsubscribes. */
  onLines(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
