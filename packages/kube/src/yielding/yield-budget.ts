import { type SliceClock, TimeSlice } from './time-slice.ts';

/**
 * Time slices that many concurrent workers share: together they yield to the event loop as often as one would.
 * Without it watches, probes and the lease renewal would wait until a queue is empty.
 */
export class YieldBudget {
  readonly #slice: TimeSlice;
  /** Resolves when the next slice begins. Absent while the present one has room. */
  #renewal: Promise<void> | undefined;

  /** @param maxPieces ends a slice after this many pieces of work too; defaults to no such limit */
  constructor(clock: SliceClock, maxPieces?: number) {
    this.#slice = new TimeSlice(clock, maxPieces);
  }

  /**
   * Runs the work when the slice has room for it, in the order of the calls. It runs the work itself instead of
   * returning a permit: the slice is used up only while work runs, so permits requested at once would all be granted.
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    while (this.#slice.isOver) {
      this.#renewal ??= this.#renew();
      await this.#renewal;
    }
    return this.#slice.run(work);
  }

  async #renew(): Promise<void> {
    await this.#slice.renew();
    this.#renewal = undefined;
  }
}
