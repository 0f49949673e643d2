import { type BatchTimes, BatchWindow } from '@karpenter/core/provisioning';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { PlanTrigger } from '../context/index.ts';

/**
 * Collects triggers into a batch: it ends when none came for the idle duration, or after the maximum
 * duration. Karpenter polls once a second for the first trigger; here the first trigger wakes the loop.
 */
export class ProvisioningBatcher implements PlanTrigger {
  readonly #clock: Clock;
  readonly #times: BatchTimes;
  #window: BatchWindow;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, times: BatchTimes) {
    this.#clock = clock;
    this.#times = times;
    this.#window = new BatchWindow(times);
  }

  /**
   * Requests a plan for a pod or node, by uid. A trigger during a pass opens the next window; Karpenter drops it
   * until the pod triggers again (ADR 0023).
   */
  trigger(uid: string, hasWaited = false): void {
    if (this.#window.add(uid, this.#clock.now(), hasWaited)) this.#wake?.();
  }

  /** Waits for a first trigger, then for the end of the window. Resolves to false when the signal aborts. */
  async wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const { endsAt } = this.#window;
      const now = this.#clock.now();
      if (endsAt !== undefined && endsAt <= now) {
        this.#window = new BatchWindow(this.#times);
        return true;
      }
      if (endsAt === undefined) await this.#nextTrigger(signal);
      // New triggers may extend the window meanwhile, so the loop reads its end again.
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
