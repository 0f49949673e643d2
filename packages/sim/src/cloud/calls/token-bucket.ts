import type { Instant } from '@karpenter/kube/runtime';

export interface BucketSize {
  /** How many calls at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface SavedBucket {
  readonly tokens: number;
  readonly filledAt: Instant;
}

/** As EC2 limits its API: a bucket that refills at a steady rate. */
export class TokenBucket {
  #tokens: number;
  #filledAt: Instant;

  constructor({ tokens, filledAt }: SavedBucket) {
    this.#tokens = tokens;
    this.#filledAt = filledAt;
  }

  save(): SavedBucket {
    return { tokens: this.#tokens, filledAt: this.#filledAt };
  }

  /** Whether there was a token to take. The size may change at run time. */
  take({ burst, perSecond }: BucketSize, now: Instant): boolean {
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1_000) * perSecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
