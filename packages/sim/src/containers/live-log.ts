import type { Clock } from '@karpenter/kube/runtime';
import type { ContainerLogLine } from '../apiserver/index.ts';

/** Lines to keep: enough for hours of a small cluster, and a few megabytes at most. */
const maxLines = 10_000;

/** The last lines of the log of a program in this process. */
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
    // Drops many lines at once, because each drop copies the kept lines.
    if (this.#lines.length > 2 * maxLines) this.#lines = this.#lines.slice(-maxLines);
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each addition. Returns a function that unsubscribes. */
  onLines(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
