export { currencyOf, onDemandPrices, pricingRegion } from './on-demand-prices.ts';
export type { Prices } from './price-list.ts';
export { type PricingOptions, PricingProvider } from './pricing-provider.ts';
export { type SpotPrices, spotPrices } from './spot-prices.ts';
