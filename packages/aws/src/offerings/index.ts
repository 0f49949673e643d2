/**
 * Offerings: an instance type in one zone and capacity type, with price and availability. Combines prices,
 * failed launches, capacity reservations, zonal shifts and preview prices. Calls nothing outside. Start with
 * offerings.ts; unavailable-offerings.ts is Karpenter's ICE cache with backoff.
 */

export {
  type MarketSources,
  marketFor,
  marketStamp,
  type PriceSource,
  type ShiftedZones,
  typeStamp,
} from './market.ts';
export { type OfferingInputs, type OfferingMarket, offeringsOf } from './offerings.ts';
export { PreviewPrices } from './preview-prices.ts';
export { ReservationCounts } from './reservation-counts.ts';
export {
  type OfferingName,
  type UnavailableOffering,
  UnavailableOfferings,
} from './unavailable-offerings.ts';
