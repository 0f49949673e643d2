import type { Instant } from '@karpenter/kube/runtime';

export interface BucketSize {
  /** The bucket capacity: calls that pass at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface SavedBucket {
  readonly tokens: number;
  readonly filledAt: Instant;
}

/** Token bucket throttling as in the EC2 API: the bucket refills at a steady rate. */
export class ApiTokenBucket {
  #tokens: number;
  #filledAt: Instant;

  constructor({ tokens, filledAt }: SavedBucket) {
    this.#tokens = tokens;
    this.#filledAt = filledAt;
  }

  save(): SavedBucket {
    return { tokens: this.#tokens, filledAt: this.#filledAt };
  }

  /**
   * Takes a token; false if the bucket is empty. The size is an argument because faults may change it at run
   * time.
   */
  take({ burst, perSecond }: BucketSize, now: Instant): boolean {
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1_000) * perSecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
