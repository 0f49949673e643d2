/**
 * On-demand and spot prices of a region. Calls the Pricing service and DescribeSpotPriceHistory; starts from
 * the prices shipped in `ec2-catalogue`. Start with pricing-provider.ts.
 */

export { currencyOf, onDemandPrices, pricingRegion } from './on-demand-prices.ts';
export type { Prices } from './price-list.ts';
export { type PricingOptions, PricingProvider } from './pricing-provider.ts';
export { type SpotPrices, spotPrices } from './spot-prices.ts';
