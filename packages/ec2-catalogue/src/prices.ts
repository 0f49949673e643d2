import { shapes } from './expansion/shapes.ts';
import { type CataloguePrice, homeRegion, regionalPrice } from './regional-prices.ts';

/**
 * Spot prices change and differ by zone; over time most types cost about a third of their on-demand price. No
 * table can hold them, so every spot price of the catalogue is this share of the on-demand price: an estimate.
 */
export const spotShare = 0.35;

/**
 * Returns what an hour of Linux costs in a region, in its currency; undefined if no price list has the type.
 * An unknown region has the prices of us-east-1.
 */
export function onDemandPrice(instanceType: string, region: string = homeRegion): number | undefined {
  return cataloguePrice(instanceType, region)?.hourly;
}

/** Returns the price together with its origin: of the price list of the region, or estimated. */
export function cataloguePrice(instanceType: string, region: string): CataloguePrice | undefined {
  const shape = shapes().get(instanceType);
  if (shape === undefined) return undefined;
  if (region !== homeRegion) return regionalPrice(instanceType, region, shape.price);
  return shape.price === undefined ? undefined : { hourly: shape.price, origin: 'recorded' };
}

/** Returns about what an hour costs as spot in a region. */
export function estimatedSpotPrice(instanceType: string, region: string): number | undefined {
  const price = onDemandPrice(instanceType, region);
  return price === undefined ? undefined : Math.round(price * spotShare * 1e6) / 1e6;
}

/** The currency in which AWS bills a region: the yuan in China, elsewhere the dollar. */
export function currencyOf(region: string): 'USD' | 'CNY' {
  return region.startsWith('cn-') ? 'CNY' : 'USD';
}
