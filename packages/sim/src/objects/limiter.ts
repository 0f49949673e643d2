/** Limits the number of concurrent tasks; further ones wait in order. */
export class Limiter {
  readonly #maxRunning: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** The number of running and waiting tasks. */
  get load(): number {
    return this.#running + this.#waiting.length;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maxRunning) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
