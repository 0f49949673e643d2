import { durationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { Heap } from '../../objects/heap.ts';
import type { AccountClock } from './account-clock.ts';

export interface SavedEntry<Task> {
  readonly at: Instant;
  readonly task: Task;
}

interface Entry<Task> extends SavedEntry<Task> {
  readonly sequence: number;
}

export interface AgendaOptions<Task> {
  /** Called with what a task threw; later tasks still run. */
  readonly onError?: (error: unknown) => void;
  readonly clock: AccountClock;
  readonly perform: (task: Task) => void;
  /** Called once after each batch of due tasks. */
  readonly onChange?: () => void;
  /** Entries of an earlier process. With them the agenda is paused until `resume`. */
  readonly saved?: readonly SavedEntry<Task>[];
}

/**
 * Runs tasks at their time; tasks of the same time run in the order they were added. One timer serves all of
 * them.
 */
export class Agenda<Task> {
  readonly #options: AgendaOptions<Task>;
  readonly #entries = new Heap<Entry<Task>>(isBefore);
  #sequence = 0;
  #sleeping: { readonly until: Instant; readonly wake: AbortController } | undefined;
  #isPaused: boolean;
  #isStopped = false;

  constructor(options: AgendaOptions<Task>) {
    this.#options = options;
    this.#isPaused = options.saved !== undefined;
    for (const { at, task } of options.saved ?? []) this.#push(at, task);
  }

  at(at: Instant, task: Task): void {
    this.#push(at, task);
    if (this.#sleeping === undefined || at < this.#sleeping.until) this.#rearm();
  }

  after(durationInMs: number, task: Task): void {
    this.at(this.#options.clock.now() + durationInMs, task);
  }

  /** Runs overdue tasks, each as of its due time and in order, and starts the timer. */
  resume(): void {
    this.#runDue();
    this.#isPaused = false;
    this.#rearm();
  }

  stop(): void {
    this.#isStopped = true;
    this.#sleeping?.wake.abort();
  }

  save(): readonly SavedEntry<Task>[] {
    const entries = [...this.#entries.items].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    return entries.map(({ at, task }) => ({ at, task }));
  }

  #push(at: Instant, task: Task): void {
    this.#sequence += 1;
    this.#entries.push({ at, sequence: this.#sequence, task });
  }

  #rearm(): void {
    this.#sleeping?.wake.abort();
    const next = this.#entries.peek();
    this.#sleeping = undefined;
    if (next === undefined || this.#isStopped || this.#isPaused) return;
    const wake = new AbortController();
    this.#sleeping = { until: next.at, wake };
    this.#sleep(next.at, wake.signal).catch((error: unknown) => this.#report(error));
  }

  async #sleep(until: Instant, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    // Sleep at least 1 ms: a sleep of zero resolves at once on some clocks and never on others.
    await clock.sleep(durationMs(Math.max(1, until - clock.now())), signal);
    if (signal.aborted) return;
    this.#runDue();
    this.#rearm();
  }

  #runDue(): void {
    const { clock, onChange } = this.#options;
    const now = clock.now();
    let isChanged = false;
    for (let next = this.#entries.peek(); isDue(next, now); next = this.#entries.peek()) {
      this.#entries.pop();
      const { at, task } = next;
      this.#perform(at, task);
      isChanged = true;
      if (this.#isStopped) break;
    }
    if (isChanged) onChange?.();
  }

  /** A task that throws is reported and does not keep the others from running. */
  #perform(at: Instant, task: Task): void {
    const { clock, perform } = this.#options;
    try {
      clock.pinnedTo(at, () => perform(task));
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}

function isDue<Task>(entry: Entry<Task> | undefined, now: Instant): entry is Entry<Task> {
  return entry !== undefined && entry.at <= now;
}
