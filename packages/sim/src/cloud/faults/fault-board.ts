import type { Chance } from '../../objects/chance.ts';
import type { ApiFamily } from '../calls/api-families.ts';
import { Refusal } from '../calls/refusal.ts';
import type { BucketSize } from '../calls/token-bucket.ts';
import { matchesPattern } from '../world/wildcard.ts';
import { type ChanceOfCall, type Faults, noFaults } from './faults.ts';

/**
 * The active faults, which can be changed while the account is in use. Each method must be called once per call
 * attempt, because some draw a random number or use up a fault.
 */
export class FaultBoard {
  readonly #chance: Chance;
  readonly #used = new WeakMap<ChanceOfCall, number>();
  #faults: Faults;

  constructor(chance: Chance, faults: Partial<Faults> = {}) {
    this.#chance = chance;
    this.#faults = { ...noFaults, ...faults };
  }

  get current(): Faults {
    return this.#faults;
  }

  /** Replaces the given parts and keeps the others. */
  set(faults: Partial<Faults>): void {
    this.#faults = { ...this.#faults, ...faults };
  }

  clear(): void {
    this.#faults = noFaults;
  }

  delayOf(action: string): number {
    const slow = this.#faults.slow.filter(({ call }) => matchesPattern(call, action));
    return slow.reduce((sum, { by }) => sum + by, this.#faults.latency);
  }

  /** The bucket size of a family of calls; an explicit size replaces the default. */
  limitOf(family: ApiFamily, defaultSize: BucketSize): BucketSize | 'unlimited' {
    const { throttling } = this.#faults;
    return throttling === 'off' ? 'unlimited' : (throttling[family] ?? defaultSize);
  }

  isDenied(action: string): boolean {
    return this.#faults.deny.some((pattern) => matchesPattern(pattern, action));
  }

  failureOf(action: string): Refusal | undefined {
    const error = this.#faults.errors.find((rule) => this.#applies(rule, action));
    if (error === undefined) return undefined;
    const { code, message, status } = error;
    return new Refusal(code, message, {
      statusCode: status,
      fault: status >= 500 || status === 0 ? 'server' : 'client',
    });
  }

  isReplyLost(action: string): boolean {
    return this.#faults.lostReplies.some((rule) => this.#applies(rule, action));
  }

  /** Decides whether a rule hits this call, and counts the hit against `times`. */
  #applies(rule: ChanceOfCall, action: string): boolean {
    const used = this.#used.get(rule) ?? 0;
    if (used >= rule.times || !matchesPattern(rule.call, action)) return false;
    if (rule.chance < 1 && this.#chance.next() >= rule.chance) return false;
    this.#used.set(rule, used + 1);
    return true;
  }
}
