import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from './clock.ts';

export interface Rate {
  readonly perSecond: number;
  /** How many may go at once after a rest. */
  readonly burst: number;
}

/** Lets through so many a second on average. Whoever comes when it is empty is given a later turn, in order. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #tokens: number;
  #at: Instant;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#at = clock.now();
  }

  /** Takes a turn and says how long it is until then. */
  reserve(): DurationMs {
    this.#refill();
    this.#tokens -= 1;
    return durationMs(this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1000);
  }

  /** Takes a turn only if it is now. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  async take(signal?: AbortSignal): Promise<void> {
    const wait = this.reserve();
    if (wait > 0) await this.#clock.sleep(wait, signal);
  }

  #refill(): void {
    const now = this.#clock.now();
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#at = now;
  }
}
