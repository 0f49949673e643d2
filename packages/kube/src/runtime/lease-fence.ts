import { CodedError } from '@karpenter/core/errors';
import type { ObjectKey } from '../client/index.ts';
import type { Clock } from '../clock/index.ts';
import type { WriteFence } from './write-fence.ts';

/** Whether the fence refused a write. Callers do not log such errors: the process is about to exit (ADR 0036). */
export function isFenceRefusal(error: unknown): boolean {
  return error instanceof CodedError && (error.code === 'lease-lost' || error.code === 'not-leading');
}

/**
 * Allows writes while this process holds the lease. A process that was suspended for longer than its lease resumes in
 * the middle of its work, before any timer fires, so every check compares the deadline with the monotonic clock instead
 * of waiting for a timer. Once closed it stays closed, because another process may lead by now (ADR 0036).
 */
export class LeaseFence implements WriteFence {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #lease: string;
  readonly #closing = new AbortController();
  #deadline: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, lease: Required<ObjectKey>) {
    this.#clock = clock;
    this.#lease = `${lease.namespace}/${lease.name}`;
  }

  /** Aborts when the fence closes for good; the reason is the error that writes fail with. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isOpen(): boolean {
    if (this.#closing.signal.aborted || this.#deadline === undefined) return false;
    return this.#clock.monotonic() < this.#deadline;
  }

  /** Allows writes until this monotonic time. */
  extend(deadline: number): void {
    this.#deadline = deadline;
  }

  close(reason: CodedError = this.#notLeading()): void {
    this.#closing.abort(reason);
  }

  check(): void {
    if (this.isOpen) return;
    if (this.#deadline === undefined) throw this.#notLeading();
    this.close(this.#expired());
    throw this.#closing.signal.reason;
  }

  #notLeading(): CodedError {
    return new CodedError(
      'not-leading',
      `nothing was written: this process does not hold the lease ${this.#lease}`,
    );
  }

  #expired(): CodedError {
    return new CodedError(
      'lease-lost',
      `lost the lease ${this.#lease}: it was not renewed in time, since this process was held up; start again`,
    );
  }
}
