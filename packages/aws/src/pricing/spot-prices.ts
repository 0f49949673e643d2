import type { SpotPrice } from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Instant } from '@karpenter/kube/runtime';
import type { Ec2 } from '../ports/index.ts';
import type { Prices } from './price-list.ts';

const pageSize = 2000;

/** The EC2 call that spot prices need. */
export type SpotHistory = Pick<Ec2, 'describeSpotPriceHistory'>;

/** Spot prices by instance type, then zone. */
export type SpotPrices = ReadonlyMap<string, Prices>;

interface Quote {
  readonly price: number;
  readonly at: Instant;
}

/** Returns the current spot prices, the latest of each type and zone. Throws if there are none. */
export async function spotPrices(ec2: SpotHistory, now: Instant): Promise<SpotPrices> {
  const quotes = new Map<string, Map<string, Quote>>();
  let token: string | undefined;
  do {
    const page = await ec2.describeSpotPriceHistory({
      ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
      StartTime: new Date(now),
      MaxResults: pageSize,
      ...(token !== undefined && { NextToken: token }),
    });
    for (const row of page.SpotPriceHistory ?? []) keepLatest(quotes, row);
    token = page.NextToken;
  } while (token !== undefined && token !== '');
  if (quotes.size === 0) throw new CodedError('no-prices', 'no spot pricing found');
  return new Map([...quotes].map(([type, zones]) => [type, pricesOf(zones)]));
}

function keepLatest(quotes: Map<string, Map<string, Quote>>, row: SpotPrice): void {
  const { InstanceType: type, AvailabilityZone: zone, SpotPrice: text, Timestamp: time } = row;
  const price = Number.parseFloat(text ?? '');
  if (type === undefined || zone === undefined || time === undefined || Number.isNaN(price)) return;
  const zones = quotes.get(type) ?? new Map<string, Quote>();
  quotes.set(type, zones);
  const at = time.getTime();
  if (at >= (zones.get(zone)?.at ?? Number.NEGATIVE_INFINITY)) zones.set(zone, { price, at });
}

function pricesOf(zones: ReadonlyMap<string, Quote>): Prices {
  return new Map([...zones].map(([zone, { price }]) => [zone, price]));
}
