export interface BatchTimes {
  /** In milliseconds: the window ends this long after the last new pod ... */
  readonly idle: number;
  /** ... and this long after the first one in any case. */
  readonly max: number;
}

/**
 * Collects pods that arrive one after another, so that they are planned together. Settings
 * BATCH_IDLE_DURATION and BATCH_MAX_DURATION set the times.
 */
export class BatchWindow {
  readonly #times: BatchTimes;
  readonly #seen = new Set<string>();
  #opened: number | undefined;
  #lastNew = Number.NEGATIVE_INFINITY;

  constructor(times: BatchTimes) {
    this.#times = times;
  }

  /**
   * Returns whether the id is new. A pod that is already in the window does not extend it, nor does one that has
   * already been pending for the idle time (`hasWaited`), such as a pod from before a change of leader.
   */
  add(id: string, now: number, hasWaited = false): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    this.#opened ??= now;
    this.#lastNew = Math.max(this.#lastNew, hasWaited ? now - this.#times.idle : now);
    return true;
  }

  /** Undefined while the window is empty. */
  get endsAt(): number | undefined {
    if (this.#opened === undefined) return undefined;
    return Math.min(this.#lastNew + this.#times.idle, this.#opened + this.#times.max);
  }
}
