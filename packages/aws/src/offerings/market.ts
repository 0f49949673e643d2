import type { ClassFacts } from '../instance-types/index.ts';
import type { OfferingMarket } from './offerings.ts';
import type { PreviewPrices } from './preview-prices.ts';
import type { ReservationCounts } from './reservation-counts.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** Current prices. The PricingProvider implements it. */
export interface PriceSource {
  /** Increases when a price changes. */
  readonly version: number;
  onDemandPrice(instanceType: string): number | undefined;
  spotPrice(instanceType: string, zone: string): number | undefined;
  /** Whether the type has a spot price in any zone. */
  hasSpotPrice(instanceType: string): boolean;
}

/** Zones with an active zonal shift, by zone id. */
export interface ShiftedZones {
  /** Increases when a shift starts or ends. */
  readonly version: number;
  has(zoneId: string): boolean;
}

/** The sources of availability and price. */
export interface MarketSources {
  readonly prices: PriceSource;
  readonly unavailable: UnavailableOfferings;
  readonly reservations: ReservationCounts;
  readonly shifted?: ShiftedZones;
  readonly previews?: PreviewPrices;
}

/** Combines the sources into one view for the subnets of a class. */
export function marketFor({ subnets }: ClassFacts, sources: MarketSources): OfferingMarket {
  const { prices, unavailable, reservations, shifted, previews } = sources;
  const preview = (type: string) => previews?.price(type);
  return {
    onDemandPrice: (type) => prices.onDemandPrice(type) ?? preview(type),
    // If other zones have a spot price, a zone without one has no spot capacity of the type.
    spotPrice: (type, zone) =>
      prices.spotPrice(type, zone) ?? (prices.hasSpotPrice(type) ? undefined : preview(type)),
    isUnavailable: (offering) => unavailable.isUnavailable(offering),
    isSuspect: (offering) => unavailable.isSuspect(offering),
    isExhausted: (zone) => unavailable.areExhausted(subnets.get(zone) ?? []),
    isShifted: (zoneId) => shifted?.has(zoneId) ?? false,
    freeInReservation: (id) => reservations.free(id),
  };
}

/** Cache key that changes when the offerings of any type may have changed. */
export function marketStamp({ prices, unavailable, reservations, shifted, previews }: MarketSources): string {
  return [prices, unavailable, reservations, shifted, previews].map((source) => source?.version ?? 0).join();
}

/** Cache key that changes when the offerings of one type may have changed. */
export function typeStamp(sources: MarketSources, instanceType: string, isReserved: boolean): string {
  const { prices, unavailable, reservations, shifted, previews } = sources;
  // Every reserved launch changes a count, which must not rebuild types without reservations.
  const counts = isReserved ? reservations.version : 0;
  const versions = [prices, shifted, previews].map((source) => source?.version ?? 0);
  return [...versions, counts, unavailable.sequence(instanceType)].join();
}
