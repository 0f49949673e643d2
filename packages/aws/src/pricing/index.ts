/**
 * On-demand and spot prices of a region. Calls the Pricing service and DescribeSpotPriceHistory; starts from
 * the prices shipped in `ec2-catalogue`. Start with pricing-provider.ts.
 */

export { pricingRegion } from './on-demand-prices.ts';
export { PricingProvider } from './pricing-provider.ts';
