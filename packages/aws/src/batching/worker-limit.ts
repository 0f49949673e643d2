/** Lets only so many things be under way; the rest wait their turn. */
export class WorkerLimit {
  readonly #limit: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // Whoever comes next takes over the place, so the count stays.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
