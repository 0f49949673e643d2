import { describe, expect, it } from 'vitest';
import { describe as describeShape } from './expansion/describe.ts';
import { expandShapes } from './expansion/shapes.ts';
import { instanceType, instanceTypes } from './instance-types.ts';

describe('the instance types', () => {
  it('are at least 900', () => {
    expect(instanceTypes().length).toBeGreaterThanOrEqual(900);
  });

  it('have unique names of family and size', () => {
    const names = expandShapes().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9-]+\.[a-z0-9-]+$/.test(name))).toEqual([]);
  });

  it('are expanded once and frozen', () => {
    expect(instanceTypes()).toBe(instanceTypes());
    expect(instanceType('m5.large')).toBe(instanceTypes().find((type) => type.InstanceType === 'm5.large'));
    expect(Object.isFrozen(instanceTypes())).toBe(true);
    expect(Object.isFrozen(instanceType('p4d.24xlarge')?.NetworkInfo.NetworkCards[0])).toBe(true);
  });

  it('expand deterministically', () => {
    expect(expandShapes().map(describeShape)).toEqual(instanceTypes());
  });

  it('contain no NaN from a missing table cell', () => {
    const broken = instanceTypes().filter((type) =>
      numbersIn(type).some((number) => !Number.isFinite(number)),
    );
    expect(broken.map((type) => type.InstanceType)).toEqual([]);
  });

  it('all have processors, memory, a manufacturer and a network', () => {
    const empty = instanceTypes().filter(
      ({ VCpuInfo, MemoryInfo, ProcessorInfo, NetworkInfo }) =>
        VCpuInfo.DefaultVCpus < 1 ||
        MemoryInfo.SizeInMiB < 512 ||
        ProcessorInfo.Manufacturer === '' ||
        NetworkInfo.MaximumNetworkInterfaces < 1 ||
        NetworkInfo.Ipv4AddressesPerInterface < 2,
    );
    expect(empty.map((type) => type.InstanceType)).toEqual([]);
  });

  it('are undefined for unknown names', () => {
    expect(instanceType('m5.huge')).toBeUndefined();
  });

  it.each([
    ['t3.nano', 4],
    ['t3.medium', 17],
    ['m5.large', 29],
    ['m5.xlarge', 58],
    ['c5.9xlarge', 234],
    ['m5.24xlarge', 737],
    ['m6idn.32xlarge', 394],
    ['c8gb.12xlarge', 350],
    ['r8i.48xlarge', 1514],
    ['m8azn.3xlarge', 314],
  ])('of %s allow %i pods by their network interfaces', (name, pods) => {
    expect(podsByInterfaces(name)).toBe(pods);
  });
});

/** Interfaces of the default card × (addresses − 1) + 2. */
function podsByInterfaces(name: string): number {
  const network = instanceType(name)?.NetworkInfo;
  const interfaces = network?.NetworkCards[network.DefaultNetworkCardIndex]?.MaximumNetworkInterfaces ?? 0;
  return interfaces * ((network?.Ipv4AddressesPerInterface ?? 0) - 1) + 2;
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
