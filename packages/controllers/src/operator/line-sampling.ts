// As zap samples: of the lines with the same level and message in one second, the first 100 are written, then
// every hundredth (ADR 0027).
const first = 100;
const thereafter = 100;
const second = 1000;

/** Samples log lines, so that a message repeated thousands of times a second does not flood the log. */
export class LineSampling {
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether to write a line. Every call counts as one line. */
  allows(level: string, message: string): boolean {
    const now = this.#now();
    if (now >= this.#until) {
      this.#counts.clear();
      this.#until = now + second;
    }
    const key = `${level} ${message}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= first || (count - first) % thereafter === 0;
  }
}
