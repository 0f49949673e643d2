import { describe, expect, it } from 'vitest';
import { volumePrice } from './volume-prices.ts';

const monthly = (dollarsPerHour: number) => Math.round(dollarsPerHour * 730 * 1000) / 1000;

describe('the price of a volume', () => {
  it('of gp3 counts its size, and IOPS and throughput beyond those that come with it', () => {
    expect(monthly(volumePrice({ type: 'gp3', gib: 20 }))).toBe(1.6);
    expect(monthly(volumePrice({ type: 'gp3', gib: 20, iops: 3000, throughput: 125 }))).toBe(1.6);
    expect(monthly(volumePrice({ type: 'gp3', gib: 20, iops: 4000, throughput: 225 }))).toBe(10.6);
  });

  it('of io1 counts all its IOPS, and that of gp2 none', () => {
    expect(monthly(volumePrice({ type: 'io1', gib: 100, iops: 1000 }))).toBe(77.5);
    expect(monthly(volumePrice({ type: 'gp2', gib: 100, iops: 1000 }))).toBe(10);
  });
});
