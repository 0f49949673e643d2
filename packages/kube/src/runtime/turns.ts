import { setImmediate } from 'node:timers/promises';

/** Some milliseconds' worth of work that waits for nobody. */
const piecesPerTurn = 25;

/**
 * Ends a turn of the event loop after so many pieces of work, whoever does them: watches, probes and the lease would wait
 * until all is done otherwise, since an `await` of what is settled already is no end of a turn. Pieces rather than time,
 * so that a run can be repeated.
 */
export class Turns {
  #left = piecesPerTurn;
  #next: Promise<void> | undefined;

  /** Resolves when there is a turn for another piece; those who wait are served in order. */
  async take(): Promise<void> {
    while (this.#left === 0) {
      this.#next ??= this.#begin();
      await this.#next;
    }
    this.#left -= 1;
  }

  async #begin(): Promise<void> {
    await setImmediate();
    this.#left = piecesPerTurn;
    this.#next = undefined;
  }
}
