import { describe, expect, it } from 'vitest';
import { instanceTypes } from './instance-types.ts';
import { cataloguePrice, currencyOf, estimatedSpotPrice, onDemandPrice } from './prices.ts';
import { pricedRegions } from './regional-prices.ts';
import { regions } from './zones.ts';

describe('the price in a region', () => {
  it.each([
    ['m5.large', 'us-west-2', 0.096],
    ['m5.large', 'eu-west-1', 0.107],
    ['c5.xlarge', 'ap-northeast-2', 0.192],
    ['m6g.large', 'eu-central-1', 0.092],
    ['r5.2xlarge', 'sa-east-1', 0.804],
    ['t3.medium', 'ap-south-1', 0.0448],
    ['c7g.4xlarge', 'ap-southeast-2', 0.7549],
    ['g5.xlarge', 'eu-west-2', 1.277],
    ['m5.large', 'us-gov-west-1', 0.121],
    ['c5.large', 'cn-north-1', 0.739],
  ])('of %s in %s is the recorded %f', (name, region, price) => {
    expect(cataloguePrice(name, region)?.origin).toBe('recorded');
    expect(Math.abs((onDemandPrice(name, region) ?? 0) / price - 1)).toBeLessThan(0.005);
  });

  it('is the listed one where the factor of the family misses it', () => {
    expect(onDemandPrice('t3.nano', 'me-south-1')).toBe(0.0063);
    expect(onDemandPrice('hpc7a.96xlarge', 'us-east-2')).toBe(7.2);
  });

  it('is estimated from families of the same category where none is recorded', () => {
    const { hourly = 0, origin } = cataloguePrice('m9g.large', 'sa-east-1') ?? {};
    const factor = hourly / (onDemandPrice('m9g.large') ?? 1);
    expect(origin).toBe('estimated');
    expect(factor).toBeGreaterThan(1.4);
    expect(factor).toBeLessThan(1.8);
  });

  it('is estimated throughout in a region without a recorded price list', () => {
    expect(cataloguePrice('m5.large', 'cn-northwest-1')?.origin).toBe('estimated');
    expect(onDemandPrice('m5.large', 'ap-southeast-6')).toBe(onDemandPrice('m5.large', 'ap-southeast-2'));
  });

  it('is that of us-east-1, as an estimate, in an unknown region', () => {
    expect(cataloguePrice('m5.large', 'mars-north-1')).toEqual({ hourly: 0.096, origin: 'estimated' });
  });

  it('exists in every region whose zones are known, for every type with a price in us-east-1', () => {
    expect([...regions()].sort()).toEqual([...pricedRegions].sort());
    const priced = instanceTypes().filter(({ InstanceType }) => onDemandPrice(InstanceType) !== undefined);
    const broken = regions().flatMap((region) =>
      priced.filter(({ InstanceType }) => !((onDemandPrice(InstanceType, region) ?? 0) > 0)),
    );
    expect(broken).toEqual([]);
  });

  it('of commercial regions and GovCloud is never far from that of us-east-1', () => {
    const odd = regions()
      .filter((region) => currencyOf(region) === 'USD')
      .flatMap((region) =>
        instanceTypes().flatMap(({ InstanceType: name }) => {
          const ratio = (onDemandPrice(name, region) ?? 0) / (onDemandPrice(name) ?? Number.NaN);
          return ratio < 0.55 || ratio > 2.2 ? [`${name} in ${region}: ${ratio}`] : [];
        }),
      );
    expect(odd).toEqual([]);
  });

  it('is in yuan in China only', () => {
    expect(regions().filter((region) => currencyOf(region) === 'CNY')).toEqual([
      'cn-north-1',
      'cn-northwest-1',
    ]);
  });

  it('as spot is an estimated share of the on-demand price of the region', () => {
    expect(estimatedSpotPrice('m5.large', 'eu-west-1')).toBeCloseTo(0.107 * 0.35, 4);
    expect(estimatedSpotPrice('m5.huge', 'eu-west-1')).toBeUndefined();
  });
});
