import { setImmediate } from 'node:timers/promises';

/** Reconciles per event loop turn: some milliseconds of work when none of them waits for I/O. */
const piecesPerTurn = 25;

/**
 * Yields to the event loop after a number of pieces of work, counted over all workers of all controllers that
 * share it. Without it watches, probes and lease renewal would wait until the queues are empty, because an
 * `await` of a settled promise only queues a microtask. It counts pieces rather than milliseconds so that
 * test runs are repeatable (ADR 0034).
 */
export class Turns {
  /** Pieces left in the current turn. */
  #left = piecesPerTurn;
  /** Resolves when the next turn begins. Absent while the current one has pieces left. */
  #next: Promise<void> | undefined;

  /** Resolves when the caller may do one piece of work. Waiting callers are served in order. */
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
