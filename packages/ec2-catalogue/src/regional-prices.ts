import * as listedFacts from './facts/region-listed-prices.ts';
import { regionPriceFactors } from './facts/region-price-factors.ts';
import { rows, words } from './notation/table.ts';

/** Where a price comes from: a price list of AWS, or prices of other families or regions. */
type PriceOrigin = 'recorded' | 'estimated';

export interface CataloguePrice {
  readonly hourly: number;
  readonly origin: PriceOrigin;
}

/** Prices of one region, relative to those of us-east-1. */
interface RegionalPrices {
  readonly byFamily: ReadonlyMap<string, number>;
  readonly byType: ReadonlyMap<string, number>;
  /** Middle factor of the families of each category, such as `m`; of all under `''`. */
  readonly byCategory: ReadonlyMap<string, number>;
}

export const homeRegion = 'us-east-1';

const factors = wordsByRegion(regionPriceFactors);
const listed = wordsByRegion(listedFacts.regionListedPrices);
const like = new Map(
  rows(listedFacts.estimatedRegions).map(([region = '', other = '', factor]) => [
    region,
    { other, factor: Number(factor) },
  ]),
);
const parsed = new Map<string, RegionalPrices>();

/** Regions with prices of their own, recorded or estimated. */
export const pricedRegions: readonly string[] = [homeRegion, ...factors.keys(), ...like.keys()];

/**
 * Returns the price of a type in a region.
 *
 * @param home its price in us-east-1, if it is sold there
 */
export function regionalPrice(
  instanceType: string,
  region: string,
  home: number | undefined,
): CataloguePrice | undefined {
  const model = like.get(region);
  if (model === undefined) return ownPrice(instanceType, region, home);
  const price = ownPrice(instanceType, model.other, home);
  return price && estimate(price.hourly * model.factor);
}

/** Whether the price list of a region, or of the one that it is estimated from, has the type or its family. */
export function isInPriceList(instanceType: string, region: string): boolean {
  const { byFamily, byType } = regionalPrices(like.get(region)?.other ?? region);
  return byFamily.has(instanceType.split('.')[0] ?? '') || byType.has(instanceType);
}

function ownPrice(
  instanceType: string,
  region: string,
  home: number | undefined,
): CataloguePrice | undefined {
  const { byFamily, byType, byCategory } = regionalPrices(region);
  const exact = byType.get(instanceType);
  if (exact !== undefined) return { hourly: exact, origin: 'recorded' };
  if (home === undefined) return undefined;
  const [family = ''] = instanceType.split('.');
  const factor = byFamily.get(family);
  if (factor !== undefined) return { hourly: rounded(home * factor), origin: 'recorded' };
  return estimate(home * (byCategory.get(categoryOf(family)) ?? byCategory.get('') ?? 1));
}

function regionalPrices(region: string): RegionalPrices {
  const known = parsed.get(region) ?? parse(region);
  parsed.set(region, known);
  return known;
}

function parse(region: string): RegionalPrices {
  const byFamily = new Map(
    (factors.get(region) ?? []).flatMap((word) => {
      const [factor = '', families = ''] = word.split('=');
      return families.split(',').map((family): [string, number] => [family, Number(factor)]);
    }),
  );
  const byType = new Map(
    (listed.get(region) ?? []).map((word): [string, number] => {
      const [type = '', price] = word.split(':');
      return [type, Number(price)];
    }),
  );
  return { byFamily, byType, byCategory: middleFactors(byFamily) };
}

function middleFactors(byFamily: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const groups = new Map<string, number[]>();
  for (const [family, factor] of byFamily) {
    for (const name of [categoryOf(family), '']) groups.set(name, [...(groups.get(name) ?? []), factor]);
  }
  return new Map([...groups].map(([name, values]) => [name, middle(values)]));
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}

function categoryOf(family: string): string {
  return /^[a-z]+/.exec(family)?.[0] ?? '';
}

function wordsByRegion(table: string): ReadonlyMap<string, readonly string[]> {
  const byRegion = new Map<string, string[]>();
  for (const [region = '', cell] of rows(table)) {
    byRegion.set(region, [...(byRegion.get(region) ?? []), ...words(cell)]);
  }
  return byRegion;
}

function estimate(dollars: number): CataloguePrice {
  return { hourly: rounded(dollars), origin: 'estimated' };
}

/** To as many digits as price lists have. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e5) / 1e5;
}
