import type { Log } from '@karpenter/core/ports';
import { instanceTypes, onDemandPrice } from '@karpenter/ec2-catalogue';
import type { Instant } from '@karpenter/kube/runtime';
import { throwFailures } from '../aws-errors/index.ts';
import type { PriceSource } from '../offerings/index.ts';
import type { Pricing } from '../ports/index.ts';
import { onDemandPrices } from './on-demand-prices.ts';
import type { Prices } from './price-list.ts';
import { type SpotHistory, type SpotPrices, spotPrices } from './spot-prices.ts';

export interface PricingOptions {
  readonly services: { readonly ec2: SpotHistory; readonly pricing: Pricing };
  readonly region: string;
  /** Skips the Pricing service, which has no VPC endpoint. */
  readonly isolatedVpc: boolean;
  readonly now: () => Instant;
  readonly log?: Log;
}

/** On-demand and spot prices. Starts with the shipped prices; a failed refresh keeps the previous ones. */
export class PricingProvider implements PriceSource {
  readonly #options: PricingOptions;
  #onDemand: Prices;
  /** Undefined until the first successful refresh. */
  #spot: SpotPrices | undefined;
  #version = 0;

  constructor(options: PricingOptions) {
    this.#options = options;
    this.#onDemand = shippedPrices(options.region);
  }

  /** Increases with each successful refresh. */
  get version(): number {
    return this.#version;
  }

  onDemandPrice(instanceType: string): number | undefined {
    return this.#onDemand.get(instanceType);
  }

  /**
   * Returns the on-demand price until spot prices are loaded, as in Karpenter. After that a zone without a price has no
   * available spot offering.
   */
  spotPrice(instanceType: string, zone: string): number | undefined {
    return this.#spot === undefined
      ? this.onDemandPrice(instanceType)
      : this.#spot.get(instanceType)?.get(zone);
  }

  hasSpotPrice(instanceType: string): boolean {
    return this.#spot === undefined
      ? this.onDemandPrice(instanceType) !== undefined
      : this.#spot.has(instanceType);
  }

  /**
   * Refreshes both kinds of prices. Keeps the result of one
   * if the other fails, then rejects with the failures.
   */
  async refresh(): Promise<void> {
    const results = await Promise.allSettled([this.refreshOnDemand(), this.refreshSpot()]);
    throwFailures(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
  }

  /** Does nothing in isolated VPCs and GovCloud regions, as in Karpenter. */
  async refreshOnDemand(): Promise<void> {
    const { services, region, isolatedVpc, log } = this.#options;
    if (isolatedVpc || region.startsWith('us-gov-')) return;
    const found = await onDemandPrices(services.pricing, region);
    // Types that the response lacks keep their price: a type without one has no available offering.
    this.#onDemand = new Map([...this.#onDemand, ...found]);
    this.#version += 1;
    log?.debug('updated on-demand pricing', { 'instance-type-count': this.#onDemand.size });
  }

  async refreshSpot(): Promise<void> {
    const { services, now, log } = this.#options;
    const found = await spotPrices(services.ec2, now());
    this.#spot = merged(this.#spot, found);
    this.#version += 1;
    log?.debug('updated spot pricing with instance types and offerings', {
      'instance-type-count': this.#spot.size,
      'offering-count': [...this.#spot.values()].reduce((sum, { size }) => sum + size, 0),
    });
  }
}

/** Prices of the region in the catalogue: recorded where its price list had the family, else estimated. */
function shippedPrices(region: string): Prices {
  const named = instanceTypes().map(({ InstanceType }) => InstanceType);
  return new Map(
    named.flatMap((name): [string, number][] => {
      const price = onDemandPrice(name, region);
      return price === undefined ? [] : [[name, price]];
    }),
  );
}

/** Keeps old prices of zones that the new response lacks. */
function merged(old: SpotPrices = new Map(), found: SpotPrices): SpotPrices {
  const all = new Map(old);
  for (const [type, zones] of found) all.set(type, new Map([...(old.get(type) ?? []), ...zones]));
  return all;
}
