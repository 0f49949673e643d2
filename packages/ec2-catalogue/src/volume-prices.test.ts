import { describe, expect, it } from 'vitest';
import { currencyOf } from './prices.ts';
import { pricedRegions } from './regional-prices.ts';
import { volumePrice, volumeRegions } from './volume-prices.ts';

const home = 'us-east-1';
const monthly = (pricePerHour: number) => Math.round(pricePerHour * 730 * 10_000) / 10_000;

describe('the price of a volume', () => {
  it('of gp3 counts its size, and IOPS and throughput beyond those that come with it', () => {
    expect(monthly(volumePrice({ type: 'gp3', gib: 20 }, home))).toBe(1.6);
    expect(monthly(volumePrice({ type: 'gp3', gib: 20, iops: 3000, throughput: 125 }, home))).toBe(1.6);
    expect(monthly(volumePrice({ type: 'gp3', gib: 20, iops: 4000, throughput: 225 }, home))).toBe(10.6);
  });

  it('of io1 counts all its IOPS, and that of gp2 none', () => {
    expect(monthly(volumePrice({ type: 'io1', gib: 100, iops: 1000 }, home))).toBe(77.5);
    expect(monthly(volumePrice({ type: 'gp2', gib: 100, iops: 1000 }, home))).toBe(10);
  });

  it.each([
    ['us-west-2', 'gp3', 8],
    ['eu-central-1', 'gp3', 9.52],
    ['sa-east-1', 'gp3', 15.2],
    ['ap-northeast-2', 'gp2', 11.4],
    ['eu-west-2', 'io2', 14.5],
    ['eu-west-1', 'standard', 5.5],
    ['eu-north-1', 'st1', 4.75],
  ])('in %s is that of the region: 100 GiB of %s cost $%d a month', (region, type, price) => {
    expect(monthly(volumePrice({ type, gib: 100 }, region))).toBe(price);
  });

  it('counts IOPS and throughput at the prices of the region', () => {
    const fast = { type: 'gp3', gib: 0, iops: 4000, throughput: 225 };
    expect(monthly(volumePrice(fast, 'sa-east-1'))).toBe(9.5 + 7.6);
    expect(monthly(volumePrice({ type: 'io1', gib: 0, iops: 1000 }, 'eu-central-1'))).toBe(78);
  });

  it('in a region without a recorded price list is estimated from another one', () => {
    expect(monthly(volumePrice({ type: 'gp3', gib: 100 }, 'eu-central-2'))).toBe(10.472);
    expect(monthly(volumePrice({ type: 'gp3', gib: 100 }, 'us-gov-west-1'))).toBe(9.6);
  });

  it('in an unknown region is that of us-east-1, and of an unknown type nothing', () => {
    expect(monthly(volumePrice({ type: 'gp3', gib: 100 }, 'mars-north-1'))).toBe(8);
    expect(volumePrice({ type: 'gp9', gib: 100 }, 'eu-west-1')).toBe(0);
  });
});

describe('the prices of volumes', () => {
  it('exist for every region that has prices of instances', () => {
    expect([...volumeRegions].sort()).toEqual([...pricedRegions].sort());
  });

  it.each(volumeRegions)(
    'in %s are within a factor of two of those of us-east-1, in its currency',
    (region) => {
      const rate = currencyOf(region) === 'CNY' ? 7.2 : 1;
      for (const type of ['gp3', 'gp2', 'io1', 'io2', 'st1', 'sc1', 'standard']) {
        const volume = { type, gib: 100, iops: 4000, throughput: 225 };
        const ratio = volumePrice(volume, region) / rate / volumePrice(volume, home);
        expect(ratio).toBeGreaterThan(0.7);
        expect(ratio).toBeLessThan(2);
      }
    },
  );
});
