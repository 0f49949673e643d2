/** Limits how many functions run concurrently; the others wait in order. */
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
      // The next in the queue takes over the slot, so the count stays.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
