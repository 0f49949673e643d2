import { instanceType, onDemandPrice } from '@karpenter/ec2-catalogue';
import type { Instant } from '@karpenter/kube/runtime';
import { fractionOf } from './fraction.ts';

/** How long a spot price stands. */
export const pricePeriodMs = 3_600_000;

/** Steps over which a price wanders from one level to the next. */
const stepsPerLevel = 12;

/** A walk for each type and zone: levels drawn from the seed, and a straight way from one to the next. */
export class SpotPrices {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Dollars per hour; undefined for types that are not sold as spot or have no price. */
  at(type: string, zone: string, now: Instant): number | undefined {
    const price = onDemandPrice(type);
    const isSold = instanceType(type)?.SupportedUsageClasses.includes('spot') ?? false;
    if (price === undefined || !isSold) return undefined;
    const step = Math.floor(now / pricePeriodMs);
    const level = Math.floor(step / stepsPerLevel);
    const way = (step % stepsPerLevel) / stepsPerLevel;
    const from = this.#share(type, zone, level);
    const to = this.#share(type, zone, level + 1);
    return Math.round(price * (from + (to - from) * way) * 10_000) / 10_000 || 0.0001;
  }

  /** From a quarter to three fifths of the on-demand price, mostly by type. */
  #share(type: string, zone: string, level: number): number {
    const own = this.#fraction(type);
    const local = this.#fraction(`${type} ${zone}`);
    const tide = this.#fraction(`${type} ${zone} ${level}`);
    return 0.25 + 0.2 * own + 0.07 * local + 0.08 * tide;
  }

  #fraction(text: string): number {
    return fractionOf(`price ${this.#seed} ${text}`);
  }
}
