import type { Filter } from '@aws-sdk/client-pricing';
import { CodedError } from '@karpenter/core/errors';
import { currencyOf } from '@karpenter/ec2-catalogue';
import type { Pricing } from '../ports/index.ts';
import { type Prices, priceOfProduct } from './price-list.ts';

const pageSize = 100;

/** The price list has bare metal types under dedicated tenancy, all others under shared. */
const products = [
  { tenancy: 'Shared', productFamily: 'Compute Instance' },
  { tenancy: 'Dedicated', productFamily: 'Compute Instance (bare metal)' },
];

/** Region of the Pricing endpoint, which exists in a few regions only. */
export function pricingRegion(region: string): string {
  if (region.startsWith('ap-')) return 'ap-south-1';
  if (region.startsWith('cn-')) return 'cn-northwest-1';
  return region.startsWith('eu-') ? 'eu-central-1' : 'us-east-1';
}

/**
 * Returns all on-demand prices of a region. Throws if one
 * product family has none: a partial list would hide types.
 */
export async function onDemandPrices(pricing: Pricing, region: string): Promise<Prices> {
  const found = await Promise.all(products.map((product) => pricesOf(pricing, region, product)));
  if (found.some(({ size }) => size === 0)) {
    throw new CodedError('no-prices', 'no on-demand pricing found', { details: { region } });
  }
  return new Map(found.flatMap((prices) => [...prices]));
}

async function pricesOf(
  pricing: Pricing,
  region: string,
  product: (typeof products)[number],
): Promise<Prices> {
  const filters = filtersOf({ regionCode: region, ...product });
  const currency = currencyOf(region);
  const prices = new Map<string, number>();
  let token: string | undefined;
  do {
    const page = await pricing.getProducts({
      ServiceCode: 'AmazonEC2',
      Filters: filters,
      MaxResults: pageSize,
      ...(token !== undefined && { NextToken: token }),
    });
    for (const text of page.PriceList ?? []) {
      const price = priceOfProduct(String(text), currency);
      if (price !== undefined) prices.set(...price);
    }
    token = page.NextToken;
  } while (token !== undefined && token !== '');
  return prices;
}

function filtersOf(fields: Readonly<Record<string, string>>): Filter[] {
  const all = {
    ...fields,
    serviceCode: 'AmazonEC2',
    preInstalledSw: 'NA',
    operatingSystem: 'Linux',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
  };
  return Object.entries(all).map(([Field, Value]) => ({ Field, Type: 'TERM_MATCH', Value }));
}
