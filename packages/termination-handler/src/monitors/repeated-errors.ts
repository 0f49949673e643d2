import { CodedError } from '@karpenter/core/errors';
import type { MonitorName } from '../events/index.ts';

const maxInARow = 3;

/**
 * Counts equal errors of one monitor. An agent that cannot read its notices must not look healthy, so the fourth equal
 * error in a row ends the process. A success in between starts the count again, because rare errors are nothing to
 * restart for.
 */
export class RepeatedErrors {
  readonly #monitor: MonitorName;
  #last = '';
  #count = 0;

  constructor(monitor: MonitorName) {
    this.#monitor = monitor;
  }

  succeeded(): void {
    this.#count = 0;
  }

  /** Throws `monitor-failed` when the error has come too often. */
  failed(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#count = text === this.#last ? this.#count + 1 : 1;
    this.#last = text;
    if (this.#count <= maxInARow) return;
    throw new CodedError(
      'monitor-failed',
      `the monitor ${this.#monitor} failed ${this.#count} times in a row: ${text}`,
      { details: { monitor: this.#monitor, times: this.#count }, cause: error },
    );
  }
}
