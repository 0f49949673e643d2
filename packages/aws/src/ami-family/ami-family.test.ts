import { describe, expect, it } from 'vitest';
import { type AmiFamilyName, amiFamilies, amiFamilyOf } from './ami-family.ts';
import { blockDevicesOf } from './default-volumes.ts';

describe('the AMI family of an EC2NodeClass', () => {
  it.each<[string, AmiFamilyName]>([
    ['al2@latest', 'AL2'],
    ['al2023@v20260101', 'AL2023'],
    ['bottlerocket@v1.50.0', 'Bottlerocket'],
    ['windows2019@latest', 'Windows2019'],
    ['windows2022@latest', 'Windows2022'],
    ['windows2025@latest', 'Windows2025'],
  ])('follows from the alias %s', (alias, name) => {
    expect(amiFamilyOf({ amiSelectorTerms: [{ alias }] })).toBe(amiFamilies[name]);
  });

  it('is amiFamily if set, even with an alias', () => {
    const terms = [{ alias: 'al2023@latest' }];
    expect(amiFamilyOf({ amiFamily: 'Custom', amiSelectorTerms: terms }).name).toBe('Custom');
    expect(amiFamilyOf({ amiFamily: 'Bottlerocket', amiSelectorTerms: [{ id: 'ami-1' }] }).name).toBe(
      'Bottlerocket',
    );
  });
});

describe('the block devices of an EC2NodeClass', () => {
  const devices = (chosen: Parameters<typeof blockDevicesOf>[1]) =>
    blockDevicesOf('Bottlerocket', chosen).map(({ deviceName }) => deviceName);

  it.each([
    ['not set', undefined],
    ['an empty list', []],
  ])('are those of the AMI family if blockDeviceMappings is %s', (_, chosen) => {
    expect(devices(chosen)).toEqual(['/dev/xvda', '/dev/xvdb']);
  });

  it('are only those of the class if it lists any', () => {
    expect(devices([{ deviceName: '/dev/sdf' }])).toEqual(['/dev/sdf']);
  });
});
