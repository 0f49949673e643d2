import { durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { Heap } from '../../objects/heap.ts';

interface Entry {
  readonly at: Instant;
  readonly sequence: number;
  readonly task: () => void;
}

/** What happens later, in order of time and then of entry; one sleeper for all of it. */
export class Agenda {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #entries = new Heap<Entry>((a, b) => a.at < b.at || (a.at === b.at && a.sequence < b.sequence));
  #sequence = 0;
  #sleeping: { readonly until: Instant; readonly wake: AbortController } | undefined;
  #isStopped = false;

  constructor(clock: Clock, onError: (error: unknown) => void = () => {}) {
    this.#clock = clock;
    this.#onError = onError;
  }

  at(at: Instant, task: () => void): void {
    this.#sequence += 1;
    this.#entries.push({ at, sequence: this.#sequence, task });
    if (this.#sleeping === undefined || at < this.#sleeping.until) this.#rearm();
  }

  after(durationInMs: number, task: () => void): void {
    this.at(this.#clock.now() + durationInMs, task);
  }

  stop(): void {
    this.#isStopped = true;
    this.#sleeping?.wake.abort();
  }

  #rearm(): void {
    this.#sleeping?.wake.abort();
    const next = this.#entries.peek();
    this.#sleeping = undefined;
    if (next === undefined || this.#isStopped) return;
    const wake = new AbortController();
    this.#sleeping = { until: next.at, wake };
    this.#sleep(next.at, wake.signal).catch(this.#onError);
  }

  async #sleep(until: Instant, signal: AbortSignal): Promise<void> {
    // A duration of nothing would resolve at once on some clocks and never on others.
    await this.#clock.sleep(durationMs(Math.max(1, until - this.#clock.now())), signal);
    if (signal.aborted) return;
    this.#runDue();
    this.#rearm();
  }

  #runDue(): void {
    for (let next = this.#entries.peek(); isDue(next, this.#clock.now()); next = this.#entries.peek()) {
      this.#perform(this.#entries.pop());
      if (this.#isStopped) return;
    }
  }

  /** A task that fails is reported and does not keep the others from their time. */
  #perform(entry: Entry | undefined): void {
    try {
      entry?.task();
    } catch (error) {
      this.#onError(error);
    }
  }
}

function isDue(entry: Entry | undefined, now: Instant): boolean {
  return entry !== undefined && entry.at <= now;
}
