import { instanceType, onDemandPrice } from '@karpenter/ec2-catalogue';
import type { Instant } from '@karpenter/kube/runtime';
import { fractionOf } from './fraction.ts';

/** How long a spot price is valid. */
export const pricePeriodMs = 3_600_000;

/** Periods over which a price moves linearly from one level to the next. */
const stepsPerLevel = 12;

/**
 * Spot prices as a function of seed and time: each type and zone has levels drawn from the seed, with linear
 * interpolation between them.
 */
export class SimulatedSpotPrices {
  readonly #seed: number;
  readonly #region: string;

  constructor(seed: number, region: string) {
    this.#seed = seed;
    this.#region = region;
  }

  /** The price in dollars per hour; undefined for types without a price or without spot support. */
  at(type: string, zone: string, now: Instant): number | undefined {
    const price = onDemandPrice(type, this.#region);
    const isSold = instanceType(type)?.SupportedUsageClasses.includes('spot') ?? false;
    if (price === undefined || !isSold) return undefined;
    const step = Math.floor(now / pricePeriodMs);
    const level = Math.floor(step / stepsPerLevel);
    const progress = (step % stepsPerLevel) / stepsPerLevel;
    const base = this.#baseShare(type, zone);
    const from = base + this.#fluctuation(type, zone, level);
    const to = base + this.#fluctuation(type, zone, level + 1);
    return Math.round(price * (from + (to - from) * progress) * 10_000) / 10_000 || 0.0001;
  }

  /**
   * The spot price as a share of the on-demand price, from 0.25 to 0.6 with its fluctuation. Most of it depends on
   * the type, little on zone and time.
   */
  #baseShare(type: string, zone: string): number {
    return 0.25 + 0.2 * this.#fraction(type) + 0.07 * this.#fraction(`${type} ${zone}`);
  }

  #fluctuation(type: string, zone: string, level: number): number {
    return 0.08 * this.#fraction(`${type} ${zone} ${level}`);
  }

  #fraction(text: string): number {
    return fractionOf(`price ${this.#seed} ${text}`);
  }
}
