import type { DescribeSpotPriceHistoryCommandInput, SpotPrice } from '@aws-sdk/client-ec2';
import type { GetProductsCommandInput } from '@aws-sdk/client-pricing';
import { CodedError } from '@karpenter/core/errors';
import type { LogFields } from '@karpenter/core/ports';
import { currencyOf } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import type { Ec2, Pricing } from '../ports/index.ts';
import { pricingRegion } from './on-demand-prices.ts';
import { PricingProvider } from './pricing-provider.ts';

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000);

function product(instanceType: string, price: string, currency = 'USD'): string {
  return JSON.stringify({
    product: { attributes: { instanceType } },
    terms: { OnDemand: { a: { priceDimensions: { b: { pricePerUnit: { [currency]: price } } } } } },
  });
}

const spot = (
  InstanceType: SpotPrice['InstanceType'],
  AvailabilityZone: string,
  price: string,
  time = 0,
): SpotPrice => ({
  InstanceType,
  AvailabilityZone,
  SpotPrice: price,
  Timestamp: at(time),
});

/** Answers each request with the pages given for it, and records requests. */
class Aws {
  shared: readonly (readonly string[])[] = [[product('m5.large', '0.2')]];
  metal: readonly (readonly string[])[] = [[product('m5.metal', '9')]];
  spot: readonly (readonly SpotPrice[])[] = [[spot('m5.large', 'us-east-1a', '0.05')]];
  readonly products: GetProductsCommandInput[] = [];
  readonly histories: DescribeSpotPriceHistoryCommandInput[] = [];

  readonly pricing: Pricing = {
    getProducts: async (input) => {
      this.products.push(input);
      const isMetal = input.Filters?.some(({ Value }) => Value === 'Dedicated');
      return page(isMetal ? this.metal : this.shared, input.NextToken, (PriceList) => ({ PriceList }));
    },
  };

  readonly ec2: Pick<Ec2, 'describeSpotPriceHistory'> = {
    describeSpotPriceHistory: async (input) => {
      this.histories.push(input);
      return page(this.spot, input.NextToken, (SpotPriceHistory) => ({ SpotPriceHistory }));
    },
  };
}

function page<Item, Field>(
  pages: readonly (readonly Item[])[],
  token: string | undefined,
  answer: (items: Item[]) => Field,
): Field & { readonly NextToken?: string } {
  const index = Number(token ?? 0);
  const isLast = index + 1 >= pages.length;
  return { ...answer([...(pages[index] ?? [])]), ...(!isLast && { NextToken: String(index + 1) }) };
}

function provider(aws: Aws, options: { readonly region?: string; readonly isolatedVpc?: boolean } = {}) {
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const made = new PricingProvider({
    services: aws,
    region: options.region ?? 'us-east-1',
    isolatedVpc: options.isolatedVpc ?? false,
    now: () => at(100).getTime(),
    log: { debug: (...line) => void lines.push([line[0], line[1]]), info: () => {}, error: () => {} },
  });
  return { made, lines };
}

describe('on-demand prices', () => {
  it('are the shipped ones until the first refresh', () => {
    const { made } = provider(new Aws());
    expect(made.onDemandPrice('m5.large')).toBe(0.096);
    expect(made.onDemandPrice('z9.large')).toBeUndefined();
  });

  it.each([
    ['eu-west-1', 0.107],
    ['us-gov-west-1', 0.121],
    ['mars-north-1', 0.096],
  ])('of %s are the shipped ones of that region until the first refresh', (region, price) => {
    expect(provider(new Aws(), { region }).made.onDemandPrice('m5.large')).toBeCloseTo(price, 4);
  });

  it('are requested for virtual and bare-metal types, page by page', async () => {
    const aws = new Aws();
    aws.shared = [[product('m5.large', '0.2')], [product('z9.large', '0.5')]];
    const { made, lines } = provider(aws, { region: 'eu-west-1' });
    await made.refreshOnDemand();
    expect(['m5.large', 'z9.large', 'm5.metal'].map((type) => made.onDemandPrice(type))).toEqual([
      0.2, 0.5, 9,
    ]);
    expect(aws.products).toHaveLength(3);
    expect(aws.products[0]).toMatchObject({ ServiceCode: 'AmazonEC2', MaxResults: 100 });
    expect(
      Object.fromEntries(aws.products[0]?.Filters?.map(({ Field, Value }) => [Field, Value]) ?? []),
    ).toEqual({
      regionCode: 'eu-west-1',
      serviceCode: 'AmazonEC2',
      preInstalledSw: 'NA',
      operatingSystem: 'Linux',
      capacitystatus: 'Used',
      marketoption: 'OnDemand',
      tenancy: 'Shared',
      productFamily: 'Compute Instance',
    });
    expect(lines[0]?.[0]).toBe('updated on-demand pricing');
  });

  it('replace old ones and keep the rest', async () => {
    const { made } = provider(new Aws());
    const before = made.version;
    await made.refreshOnDemand();
    expect([made.onDemandPrice('m5.large'), made.onDemandPrice('m5.xlarge')]).toEqual([0.2, 0.192]);
    expect(made.version).toBe(before + 1);
  });

  it('skip products that are free, unpriced or malformed', async () => {
    const aws = new Aws();
    aws.shared = [
      [
        product('m5.xlarge', '0.0000'),
        product('c5.large', 'free'),
        'not json',
        '7',
        product('m5.large', '1'),
      ],
    ];
    const { made } = provider(aws);
    await made.refreshOnDemand();
    expect(['m5.xlarge', 'c5.large', 'm5.large'].map((type) => made.onDemandPrice(type))).toEqual([
      0.192, 0.085, 1,
    ]);
  });

  it.each(['shared', 'metal'] as const)('are kept when the response has no %s ones', async (which) => {
    const aws = new Aws();
    aws[which] = [[]];
    const { made } = provider(aws);
    await expect(made.refreshOnDemand()).rejects.toThrow('no on-demand pricing found');
    expect([made.onDemandPrice('m5.large'), made.version]).toEqual([0.096, 0]);
  });

  it('are in yuan in China', async () => {
    const aws = new Aws();
    aws.shared = [[product('m5.large', '0.7', 'CNY')]];
    aws.metal = [[product('m5.metal', '7', 'CNY')]];
    const { made } = provider(aws, { region: 'cn-north-1' });
    await made.refreshOnDemand();
    expect(made.onDemandPrice('m5.large')).toBe(0.7);
  });

  it.each([
    ['in an isolated VPC', { isolatedVpc: true }],
    ['in GovCloud regions', { region: 'us-gov-west-1' }],
  ])('are not requested %s', async (_, options) => {
    const aws = new Aws();
    await provider(aws, options).made.refreshOnDemand();
    expect(aws.products).toEqual([]);
  });

  it.each([
    ['us-west-2', 'us-east-1', 'USD'],
    ['ap-southeast-2', 'ap-south-1', 'USD'],
    ['eu-north-1', 'eu-central-1', 'USD'],
    ['cn-north-1', 'cn-northwest-1', 'CNY'],
    ['sa-east-1', 'us-east-1', 'USD'],
  ])('of %s are served from %s in %s', (region, from, currency) => {
    expect([pricingRegion(region), currencyOf(region)]).toEqual([from, currency]);
  });
});

describe('spot prices', () => {
  it('are the on-demand prices until the first refresh', () => {
    const { made } = provider(new Aws());
    expect(made.spotPrice('m5.large', 'anywhere')).toBe(0.096);
    expect(made.hasSpotPrice('m5.large')).toBe(true);
  });

  it('are known per zone after a refresh, and absent elsewhere', async () => {
    const aws = new Aws();
    const { made, lines } = provider(aws);
    await made.refreshSpot();
    expect(made.spotPrice('m5.large', 'us-east-1a')).toBe(0.05);
    expect(made.spotPrice('m5.large', 'us-east-1b')).toBeUndefined();
    expect(made.spotPrice('c5.large', 'us-east-1a')).toBeUndefined();
    expect([made.hasSpotPrice('m5.large'), made.hasSpotPrice('c5.large')]).toEqual([true, false]);
    expect(aws.histories).toEqual([
      {
        ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
        StartTime: at(100),
        MaxResults: 2000,
      },
    ]);
    expect(lines).toEqual([
      [
        'updated spot pricing with instance types and offerings',
        { 'instance-type-count': 1, 'offering-count': 1 },
      ],
    ]);
  });

  it('are the latest of all pages; rows without time or price are skipped', async () => {
    const aws = new Aws();
    const { Timestamp: _, ...untimed } = spot('m5.large', 'us-east-1a', '0.01');
    aws.spot = [
      [spot('m5.large', 'us-east-1a', '0.07', 5), untimed, spot('m5.large', 'us-east-1b', 'cheap')],
      [spot('m5.large', 'us-east-1a', '0.06', 4)],
    ];
    const { made } = provider(aws);
    await made.refreshSpot();
    expect(made.spotPrice('m5.large', 'us-east-1a')).toBe(0.07);
    expect(made.spotPrice('m5.large', 'us-east-1b')).toBeUndefined();
  });

  it('are kept for zones that the next response lacks', async () => {
    const aws = new Aws();
    const { made } = provider(aws);
    await made.refreshSpot();
    aws.spot = [[spot('m5.large', 'us-east-1b', '0.04')]];
    await made.refreshSpot();
    expect(['us-east-1a', 'us-east-1b'].map((zone) => made.spotPrice('m5.large', zone))).toEqual([
      0.05, 0.04,
    ]);
  });

  it('are kept when the response is empty', async () => {
    const aws = new Aws();
    const { made } = provider(aws);
    await made.refreshSpot();
    aws.spot = [[]];
    await expect(made.refreshSpot()).rejects.toThrow('no spot pricing found');
    expect(made.spotPrice('m5.large', 'us-east-1a')).toBe(0.05);
  });
});

describe('a refresh', () => {
  it('keeps one kind of prices when the other fails', async () => {
    const aws = new Aws();
    aws.metal = [[]];
    const { made } = provider(aws);
    await expect(made.refresh()).rejects.toThrow(CodedError);
    expect(made.spotPrice('m5.large', 'us-east-1a')).toBe(0.05);
    expect(made.onDemandPrice('m5.large')).toBe(0.096);
  });

  it('rejects with both failures', async () => {
    const aws = new Aws();
    aws.metal = [[]];
    aws.spot = [[]];
    await expect(provider(aws).made.refresh()).rejects.toThrow(
      'no on-demand pricing found; no spot pricing found',
    );
  });
});
