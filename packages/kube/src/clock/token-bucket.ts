import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Clock, Instant } from './clock.ts';

export interface Rate {
  /** Average rate. */
  readonly perSecond: number;
  /** Size of the bucket: how many tokens an idle bucket hands out at once. */
  readonly burst: number;
}

/**
 * Token-bucket rate limiter. `reserve` and `take` may drive the number of tokens below zero: each later
 * caller then waits longer, so that callers pass in the order they came.
 */
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

  /** Takes a token, and returns how long the caller must wait before it proceeds. */
  reserve(): DurationMs {
    this.#refill();
    this.#tokens -= 1;
    return durationMs(this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1000);
  }

  /** Takes a token only if one is available now. Returns whether it did. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /**
   * Takes a token and waits for it. Resolves early when the signal aborts; the token is spent all the same.
   */
  async take(signal?: AbortSignal): Promise<void> {
    const wait = this.reserve();
    if (wait > 0) await this.#clock.sleep(wait, signal);
  }

  #refill(): void {
    const now = this.#clock.now();
    // The clock may step back; a negative gain would take tokens away.
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#at = now;
  }
}
