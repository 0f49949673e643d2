/*
 * Which loop yields through what:
 *
 * | loop | yields through |
 * |---|---|
 * | plans and pending pods by zone, of the provisioner | `runSteps`: stop at the deadline with what is decided |
 * | searches and validations of disruption | `runStepsUntilAborted`: no deadline |
 * | the search of `cost` and `simulate --consolidate` | `runStepsWithin`: nothing after a minute |
 * | lists of objects, nodes, pods, claims and instances | `mapInSlices` |
 * | reconciles of all controllers; launches | `YieldBudget`, which many workers share |
 * | pods that the simulated kube-scheduler binds | `TimeSlice` |
 * | requests of the embedded API server: their stages, and the steps of validation | `YieldBudget`, `TimeSlice` |
 * | parts of a long list of the embedded API server; objects of a ConversionReview | `YieldBudget` |
 * | pieces of a scrape, whose reader sets the pace | `yieldToEventLoop` |
 */

import { setImmediate } from 'node:timers/promises';
import { yieldTuning } from '@karpenter/core/yielding';
import type { Clock } from '../runtime/index.ts';

/** Not `now`: a wall clock that is set back would make a slice last until it catches up. */
export type SliceClock = Pick<Clock, 'monotonic'>;

/** Resolves when the event loop has run the timers and I/O callbacks that are due. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/**
 * The work between two yields. It is over after 5 ms of work, or after a number of pieces of work. Time in which
 * nothing runs does not count: the event loop was free then.
 */
export class TimeSlice {
  readonly #clock: SliceClock;
  readonly #maxPieces: number;
  #spentMs = 0;
  #pieces = 0;

  constructor(clock: SliceClock, maxPieces = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#maxPieces = maxPieces;
  }

  get isOver(): boolean {
    return this.#spentMs >= yieldTuning.sliceMs || this.#pieces >= this.#maxPieces;
  }

  /** Runs one piece of work, of which only the part before its first `await` counts. */
  run<T>(work: () => T): T {
    const started = this.#clock.monotonic();
    try {
      return work();
    } finally {
      this.#spentMs += this.#clock.monotonic() - started;
      this.#pieces += 1;
    }
  }

  /** Yields to the event loop and starts over. */
  async renew(): Promise<void> {
    await yieldToEventLoop();
    this.#spentMs = 0;
    this.#pieces = 0;
  }
}
