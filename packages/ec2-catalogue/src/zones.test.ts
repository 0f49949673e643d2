import { describe, expect, it } from 'vitest';
import { instanceTypes } from './instance-types.ts';
import { regions, zones, zonesOf } from './zones.ts';

const ids = (name: string, region: string) => zonesOf(name, region).map(({ id }) => id);

describe('zones', () => {
  it('have a name and an id', () => {
    expect(zones('us-east-1').slice(0, 3)).toEqual([
      { name: 'us-east-1a', id: 'use1-az1' },
      { name: 'us-east-1b', id: 'use1-az2' },
      { name: 'us-east-1c', id: 'use1-az4' },
    ]);
    expect(zones('us-west-2')).toHaveLength(4);
  });

  it('are distinct, and at least two in each region', () => {
    const all = regions().flatMap((region) => zones(region).map(({ id }) => id));
    expect(new Set(all).size).toBe(all.length);
    expect(regions().filter((region) => zones(region).length < 2)).toEqual([]);
  });

  it('are empty for an unknown region', () => {
    expect(zones('mars-north-1')).toEqual([]);
  });

  it.each([
    ['m5.large', 'az1 az2 az4 az6 az5'],
    ['i3.large', 'az1 az2 az4 az6 az3 az5'],
    ['c9g.large', 'az1 az2 az4 az6'],
    ['c5d.xlarge', 'az1 az2 az4 az6 az5'],
    ['c5d.24xlarge', 'az2 az4 az6'],
    ['trn1n.32xlarge', 'az6'],
    ['trn2.48xlarge', ''],
  ])('of us-east-1 that offer %s are: %s', (name, expected) => {
    expect(
      ids(name, 'us-east-1')
        .map((id) => id.slice('use1-'.length))
        .join(' '),
    ).toBe(expected);
  });

  it.each([
    ['m5.large', 'us-west-2', 'az2 az1 az3 az4'],
    ['m5n.large', 'us-west-2', 'az2 az1 az3'],
    ['r5d.metal', 'us-west-2', 'az2 az1 az3'],
    ['trn1n.32xlarge', 'us-west-2', 'az4'],
    ['m4.large', 'us-west-2', 'az2 az1 az3'],
    ['mac2.metal', 'us-east-1', 'az1 az2 az4 az6'],
    ['trn1n.32xlarge', 'eu-west-1', ''],
    ['m5.large', 'eu-west-1', 'az3 az1 az2'],
    ['p4d.24xlarge', 'ap-northeast-2', 'az2 az4'],
    ['m5.large', 'ap-northeast-2', 'az1 az2 az3 az4'],
    ['m5.large', 'us-gov-west-1', 'az1 az2 az3'],
    ['trn1n.32xlarge', 'us-gov-west-1', ''],
    ['c5.large', 'cn-northwest-1', 'az1 az2 az3'],
  ])('that offer %s in %s are: %s', (name, region, expected) => {
    expect(
      ids(name, region)
        .map((id) => id.slice(id.indexOf('az')))
        .join(' '),
    ).toBe(expected);
  });

  it('offer something in every region', () => {
    const sold = (region: string) =>
      instanceTypes().filter(({ InstanceType }) => zonesOf(InstanceType, region).length > 0).length;
    expect(regions().filter((region) => sold(region) < 150)).toEqual([]);
  });

  it('are empty for an unknown type', () => {
    expect(zonesOf('m5.huge', 'us-east-1')).toEqual([]);
  });
});
