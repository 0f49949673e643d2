import { type LogRecord, nameIn, textIn } from './log-record.ts';

/** The provisioner retries a pod after ten seconds at most, so after this time the pod was scheduled or deleted. */
const forgottenAfterMs = 60_000;

interface LastFailure {
  readonly error: string | undefined;
  readonly at: number;
}

/** Remembers why pods could not be scheduled: the provisioner logs the same failure with every plan. */
export class UnschedulablePods {
  readonly #last = new Map<string, LastFailure>();

  /** Whether the record reports one pod that failed for the same reason just before. */
  isRepeat({ message, fields, time }: LogRecord): boolean {
    const pod = nameIn(fields, 'Pod');
    if (message !== 'could not schedule pod' || pod === undefined) return false;
    const at = time.getTime();
    for (const [name, last] of this.#last) if (at - last.at >= forgottenAfterMs) this.#last.delete(name);
    const error = textIn(fields, 'error');
    const before = this.#last.get(pod);
    this.#last.set(pod, { error, at });
    return before !== undefined && before.error === error;
  }
}
