import { durationMs } from '@karpenter/core/values';
import { backoffDelay, type Clock } from '@karpenter/kube/runtime';
import { hasReason } from '../status/status-error.ts';
import type { Store } from '../store/index.ts';

// The first retry comes soon, because many failures are races with another writer.
const backoff = { initial: durationMs(100), max: durationMs(60_000) };

export interface RetriedWorkOptions {
  readonly clock: Clock;
  /** When its writes succeed again after a storage failure, failed work is retried at once. */
  readonly store?: Pick<Store, 'subscribeToFailures'>;
  /** Called with every error that is not a race with another writer. */
  readonly onError: (error: unknown) => void;
}

interface Task {
  work: () => Promise<void>;
  /** Whether it must run (again), because start was called or the last run failed. */
  isStale: boolean;
  done: Promise<void>;
}

/**
 * Runs background work of the server by name, like a rate-limited work queue: one run per name at a time, and
 * retries with backoff after an error.
 */
export class RetriedWork {
  readonly #options: RetriedWorkOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #stopped = new AbortController();
  readonly #sleeping = new Set<AbortController>();
  #unsubscribe: () => void = () => undefined;

  constructor(options: RetriedWorkOptions) {
    this.#options = options;
  }

  /** Retries at once when the store accepts writes again. */
  followStore(): void {
    const resumed = () => this.#retryNow();
    this.#unsubscribe = this.#options.store?.subscribeToFailures({ resumed }) ?? (() => undefined);
  }

  /** Runs the work soon. While a run with this name is active, one more run follows with the new work. */
  start(name: string, work: () => Promise<void>): void {
    if (this.#stopped.signal.aborted) return;
    const running = this.#tasks.get(name);
    if (running !== undefined) {
      Object.assign(running, { work, isStale: true });
      return;
    }
    const task: Task = { work, isStale: true, done: Promise.resolve() };
    this.#tasks.set(name, task);
    task.done = this.#run(name, task);
  }

  /** Starts nothing more, and resolves when running work has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#unsubscribe();
    this.#retryNow();
    await Promise.all([...this.#tasks.values()].map(({ done }) => done));
  }

  async #run(name: string, task: Task): Promise<void> {
    try {
      for (let failures = 0; task.isStale && !this.#stopped.signal.aborted; ) {
        // start() is called from a change listener; all other listeners see that change before the work writes
        // another.
        await new Promise(setImmediate);
        task.isStale = false;
        failures = (await this.#succeeds(task)) ? 0 : failures + 1;
        if (failures === 0) continue;
        task.isStale = true;
        await this.#backOff(failures);
      }
    } finally {
      // Before anything else runs after the last check: a start() in between would be lost.
      this.#tasks.delete(name);
    }
  }

  async #backOff(failures: number): Promise<void> {
    const wake = new AbortController();
    this.#sleeping.add(wake);
    await this.#options.clock.sleep(backoffDelay(backoff, failures - 1), wake.signal);
    this.#sleeping.delete(wake);
  }

  #retryNow(): void {
    for (const wake of this.#sleeping) wake.abort();
  }

  async #succeeds({ work }: Task): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isRace(error)) this.#options.onError(error);
      return false;
    }
  }
}

/** Another writer was first. Not worth reporting: the next run sees the new state. */
export function isRace(error: unknown): boolean {
  return hasReason(error, 'AlreadyExists') || hasReason(error, 'Conflict') || hasReason(error, 'NotFound');
}
