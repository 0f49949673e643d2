import type { ClassFacts } from '../instance-types/class-facts.ts';
import type { Market } from './offerings.ts';
import type { PreviewPrices } from './preview-prices.ts';
import type { ReservationCounts } from './reservation-counts.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** Prices as they are known; the pricing provider is one. */
export interface PriceSource {
  /** Another number each time that prices have changed. */
  readonly version: number;
  onDemandPrice(instanceType: string): number | undefined;
  spotPrice(instanceType: string, zone: string): number | undefined;
  /** Whether any zone has a spot price of the type. */
  hasSpotPrice(instanceType: string): boolean;
}

/** Zones that traffic is shifted away from, by id. */
export interface ShiftedZones {
  /** Another number each time that zones have been added or removed. */
  readonly version: number;
  has(zoneId: string): boolean;
}

/** Everything that decides whether offerings can be had, and for how much. */
export interface MarketSources {
  readonly prices: PriceSource;
  readonly unavailable: UnavailableOfferings;
  readonly reservations: ReservationCounts;
  readonly shifted?: ShiftedZones;
  readonly previews?: PreviewPrices;
}

export function marketFor({ subnets }: ClassFacts, sources: MarketSources): Market {
  const { prices, unavailable, reservations, shifted, previews } = sources;
  const preview = (type: string) => previews?.price(type);
  return {
    onDemandPrice: (type) => prices.onDemandPrice(type) ?? preview(type),
    // A zone without a price, where others have one, does not sell the type just now.
    spotPrice: (type, zone) =>
      prices.spotPrice(type, zone) ?? (prices.hasSpotPrice(type) ? undefined : preview(type)),
    isUnavailable: (offering) => unavailable.isUnavailable(offering),
    isDoubted: (offering) => unavailable.isDoubted(offering),
    isExhausted: (zone) => unavailable.areExhausted(subnets.get(zone) ?? []),
    isShifted: (zoneId) => shifted?.has(zoneId) ?? false,
    freeInReservation: (id) => reservations.free(id),
  };
}

/** Changes whenever the offerings of some type may have. */
export function marketStamp({ prices, unavailable, reservations, shifted, previews }: MarketSources): string {
  return [prices, unavailable, reservations, shifted, previews].map((source) => source?.version ?? 0).join();
}

/** Changes whenever the offerings of the type may have. */
export function typeStamp(sources: MarketSources, instanceType: string, isReserved: boolean): string {
  const { prices, unavailable, reservations, shifted, previews } = sources;
  const counts = isReserved ? reservations.version : 0;
  const versions = [prices, shifted, previews].map((source) => source?.version ?? 0);
  return [...versions, counts, unavailable.sequence(instanceType)].join();
}
