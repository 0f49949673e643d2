import { randomBytes } from 'node:crypto';
import type { Clock, Instant } from '@karpenter/kube/runtime';

const maxSeconds = 21_600;

/** The session tokens of IMDS version 2. */
export class SessionTokens {
  readonly #clock: Clock;
  readonly #expiries = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new token; undefined if the lifetime is not one that EC2 accepts. */
  issue(seconds: number): string | undefined {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds) return undefined;
    const token = randomBytes(42).toString('base64url');
    this.#expiries.set(token, this.#clock.now() + seconds * 1000);
    return token;
  }

  /** Whole seconds that the token is still valid for; undefined if it is unknown or has expired. */
  secondsLeft(token: string): number | undefined {
    const left = (this.#expiries.get(token) ?? 0) - this.#clock.now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  /** Makes all tokens invalid at once, as when the service restarts. */
  revokeAll(): void {
    this.#expiries.clear();
  }
}
