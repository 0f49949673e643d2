export type { Backoff } from './expiring-marks.ts';
export { type MarketSources, marketFor, type PriceSource, type ShiftedZones } from './market.ts';
export { type Market, offeringsOf, type Sale } from './offerings.ts';
export { PreviewPrices, previewPricesOf } from './preview-prices.ts';
export { ReservationCounts } from './reservation-counts.ts';
export {
  type OfferingName,
  type Shortage,
  UnavailableOfferings,
  type UnavailableOptions,
} from './unavailable-offerings.ts';
