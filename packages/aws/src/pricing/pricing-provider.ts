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
  /** No service without a VPC endpoint is called, and the price list has none. */
  readonly isolatedVpc: boolean;
  readonly now: () => Instant;
  readonly log?: Log;
}

/** What instances cost. Starts from the prices that the program ships with; a refresh that fails changes nothing. */
export class PricingProvider implements PriceSource {
  readonly #options: PricingOptions;
  #onDemand: Prices = shippedPrices();
  /** None until EC2 was asked successfully for the first time. */
  #spot: SpotPrices | undefined;
  #version = 0;

  constructor(options: PricingOptions) {
    this.#options = options;
  }

  /** Another number each time that prices have changed. */
  get version(): number {
    return this.#version;
  }

  onDemandPrice(instanceType: string): number | undefined {
    return this.#onDemand.get(instanceType);
  }

  /** As long as no spot price at all is known, spot is taken to cost what on-demand does. */
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

  /** Asks for both kinds of prices at once; what came is kept even if the other failed. */
  async refresh(): Promise<void> {
    const asked = await Promise.allSettled([this.refreshOnDemand(), this.refreshSpot()]);
    throwFailures(asked.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
  }

  async refreshOnDemand(): Promise<void> {
    const { services, region, isolatedVpc, log } = this.#options;
    if (isolatedVpc || region.startsWith('us-gov-')) return;
    const found = await onDemandPrices(services.pricing, region);
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

/** Of us-east-1; elsewhere most types cost a little more, and their order is much the same. */
function shippedPrices(): Prices {
  const named = instanceTypes().map(({ InstanceType }) => InstanceType);
  return new Map(
    named.flatMap((name): [string, number][] => {
      const price = onDemandPrice(name);
      return price === undefined ? [] : [[name, price]];
    }),
  );
}

function merged(old: SpotPrices = new Map(), found: SpotPrices): SpotPrices {
  const all = new Map(old);
  for (const [type, zones] of found) all.set(type, new Map([...(old.get(type) ?? []), ...zones]));
  return all;
}
