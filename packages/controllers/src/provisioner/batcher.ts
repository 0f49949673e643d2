import { type BatchTimes, BatchWindow } from '@karpenter/core/provisioning';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { PlanTrigger } from '../context/index.ts';

/** Collects what asks for a plan until nothing new comes for a while. */
export class Batcher implements PlanTrigger {
  readonly #clock: Clock;
  readonly #times: BatchTimes;
  #window: BatchWindow;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, times: BatchTimes) {
    this.#clock = clock;
    this.#times = times;
    this.#window = new BatchWindow(times);
  }

  /** A pod or node, by its uid, needs a plan. What comes during a pass begins the next window. */
  trigger(uid: string, hasWaited = false): void {
    if (this.#window.add(uid, this.#clock.now(), hasWaited)) this.#wake?.();
  }

  /** Waits for a first trigger, then for the end of the window; false when the signal is raised. */
  async wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const { endsAt } = this.#window;
      const now = this.#clock.now();
      if (endsAt !== undefined && endsAt <= now) {
        this.#window = new BatchWindow(this.#times);
        return true;
      }
      if (endsAt === undefined) await this.#nextTrigger(signal);
      else await this.#clock.sleep(durationMs(endsAt - now), signal);
    }
    return false;
  }

  #nextTrigger(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake = undefined;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }
}
