import { describe, expect, it } from 'vitest';
import { instanceTypes } from './instance-types.ts';
import { networkBandwidth } from './network-bandwidth.ts';

describe('the network bandwidth', () => {
  it.each([
    ['m6i.large', 781],
    ['m6a.48xlarge', 50000],
    ['m7g.medium', 520],
    ['m7g.xlarge', 1876],
    ['m8g.xlarge', 1875],
    ['r8i.96xlarge', 100000],
    ['m7i-flex.large', 390],
    ['c6in.32xlarge', 200000],
    ['m8ib.8xlarge', 33330],
    ['r8idb.xlarge', 4166],
    ['m5n.2xlarge', 8125],
    ['m5.metal', 25000],
    ['t3.2xlarge', 2048],
    ['g4dn.8xlarge', 50000],
    ['m8gb.4xlarge', 33330],
    ['i8g.48xlarge', 100000],
    ['i8g.metal-48xl', 90000],
    ['g4ad.xlarge', 2000],
    ['p3.2xlarge', 2500],
    ['i3.metal', 25000],
    ['g7.2xlarge', 60000],
    ['g7.4xlarge', 60000],
    ['g7.8xlarge', 80000],
    ['g7.12xlarge', 175000],
    ['r4.8xlarge', 10000],
    ['c3.8xlarge', 10000],
    ['r3.8xlarge', 10000],
    ['m4.16xlarge', 25000],
    ['mac2.metal', 10000],
  ])('of %s is %i Mbps', (name, megabits) => {
    expect(networkBandwidth(name)).toBe(megabits);
  });

  it('is undefined for families without published data', () => {
    const unknown = instanceTypes()
      .map((type) => type.InstanceType)
      .filter((name) => networkBandwidth(name) === undefined);
    const families = new Set(unknown.map((name) => name.split('.')[0]));
    expect([...families].sort()).toEqual(
      'c1 c3 c4 d2 g3s i2 m1 m2 m3 m4 mac-m3ultra p2 r3 r9g r9gd t1 t2 t8i'.split(' '),
    );
    expect(networkBandwidth('m5.huge')).toBeUndefined();
  });
});
