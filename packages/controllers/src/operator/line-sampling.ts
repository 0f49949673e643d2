/** In each second, of lines with the same level and message: so many first ones, then one of so many. */
const first = 100;
const thereafter = 100;
const second = 1000;

/** Keeps a message that is repeated thousands of times a second from drowning all others. */
export class LineSampling {
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  lets(level: string, message: string): boolean {
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
