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
  ])('of %s is %i Mbps', (name, megabits) => {
    expect(networkBandwidth(name)).toBe(megabits);
  });

  it('is unknown for families that nobody published it for', () => {
    const unknown = instanceTypes()
      .map((type) => type.InstanceType)
      .filter((name) => networkBandwidth(name) === undefined);
    const families = new Set(unknown.map((name) => name.split('.')[0]));
    expect([...families].sort()).toEqual(['dl1', 'g4ad', 'i3', 'p3', 'r9g', 'r9gd']);
    expect(networkBandwidth('i3.large')).toBe(750);
    expect(networkBandwidth('m5.huge')).toBeUndefined();
  });
});
