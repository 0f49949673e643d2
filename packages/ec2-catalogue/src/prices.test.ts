import { describe, expect, it } from 'vitest';
import { instanceTypes } from './instance-types.ts';
import { onDemandPrice } from './prices.ts';

describe('the on-demand price', () => {
  it.each([
    ['m5.large', 0.096],
    ['m5.24xlarge', 4.608],
    ['c5.18xlarge', 3.06],
    ['r6i.32xlarge', 8.064],
    ['m6g.medium', 0.0385],
    ['x2idn.32xlarge', 13.338],
    ['x2iezn.12xlarge', 10.008],
  ])('of %s is proportional to its vCPUs', (name, price) => {
    expect(onDemandPrice(name)).toBe(price);
  });

  it.each([
    ['m5.metal', 'm5.24xlarge', 1],
    ['c6i.metal', 'c6i.32xlarge', 1],
    ['m7i.metal-48xl', 'm7i.48xlarge', 1],
    ['m8i.metal-48xl', 'm8i.48xlarge', 1],
    ['r5b.metal', 'r5b.24xlarge', 1.1],
    ['m7i.metal-24xl', 'm7i.24xlarge', 1.1],
    ['c8i.metal-48xl', 'c8i.48xlarge', 1.1],
    ['m8azn.metal-12xl', 'm8azn.12xlarge', 1.1],
    ['c6g.metal', 'c6g.16xlarge', 1.06],
    ['c8gb.metal-24xl', 'c8gb.24xlarge', 1.06],
    ['x8i.metal-96xl', 'x8i.96xlarge', 1],
  ])('of %s is that of %s times %f', (metal, twin, factor) => {
    expect(onDemandPrice(metal)).toBeCloseTo((onDemandPrice(twin) ?? 0) * factor, 4);
  });

  it.each([
    ['c7g.medium', 0.0363],
    ['r7gd.medium', 0.068],
    ['i4i.large', 0.172],
    ['i4i.xlarge', 0.3432],
    ['t3.nano', 0.0052],
    ['t4g.2xlarge', 0.2688],
    ['g5.12xlarge', 5.672],
    ['p5.48xlarge', 55.04],
    ['i3.metal', 4.992],
    ['t2.micro', 0.0116],
    ['m4.16xlarge', 3.2],
    ['c4.8xlarge', 1.591],
    ['p2.16xlarge', 14.4],
    ['m8gb.metal-24xl', 14.80608],
    ['r8gb.metal-24xl', 18.53864],
    ['u-6tb1.56xlarge', 46.40391],
  ])('of %s is the listed one', (name, price) => {
    expect(onDemandPrice(name)).toBe(price);
  });

  it('of the largest x8i is above the price per vCPU', () => {
    expect(onDemandPrice('x8i.96xlarge')).toBeCloseTo(0.21883 * 192 * 1.16, 4);
  });

  it('is undefined only for families that the price list lacks', () => {
    const unpriced = instanceTypes()
      .map((type) => type.InstanceType)
      .filter((name) => onDemandPrice(name) === undefined);
    const families = new Set(unpriced.map((name) => name.split('.')[0]));
    expect([...families].sort()).toEqual(
      (
        'dl2q g7 hpc6a hpc6id hpc7a hpc8a mac-m3ultra mac-m4 mac-m4max mac-m4pro mac1 mac2 mac2-m1ultra ' +
        'mac2-m2 mac2-m2pro p5e r9g r9gd t8i trn2 trn2u x8aedz'
      ).split(' '),
    );
    expect(onDemandPrice('m5.huge')).toBeUndefined();
  });

  it('is positive', () => {
    const free = instanceTypes().filter((type) => (onDemandPrice(type.InstanceType) ?? 1) <= 0);
    expect(free).toEqual([]);
  });
});
