export interface BatchTimes {
  /** In milliseconds: the window ends this long after the last newcomer… */
  readonly idle: number;
  /** …and this long after the first in any case. */
  readonly max: number;
}

/** The time during which pods that come one after another are collected to be planned for together. */
export class BatchWindow {
  readonly #times: BatchTimes;
  readonly #seen = new Set<string>();
  #opened: number | undefined;
  #lastNew = Number.NEGATIVE_INFINITY;

  constructor(times: BatchTimes) {
    this.#times = times;
  }

  /**
   * Something that is in the window already does not make it longer, nor does something that has waited for as long as
   * the window is idle before it came here. Whether it is new.
   */
  add(id: string, now: number, hasWaited = false): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    this.#opened ??= now;
    this.#lastNew = Math.max(this.#lastNew, hasWaited ? now - this.#times.idle : now);
    return true;
  }

  /** Absent as long as nothing has come. */
  get endsAt(): number | undefined {
    if (this.#opened === undefined) return undefined;
    return Math.min(this.#lastNew + this.#times.idle, this.#opened + this.#times.max);
  }
}
