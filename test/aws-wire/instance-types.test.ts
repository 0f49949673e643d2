import { type DescribedType, discoverTypes } from '@karpenter/aws';
import { instanceType, instanceTypes, networkBandwidth, zonesOf } from '@karpenter/ec2-catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { region } from './moto-account.ts';
import { onlyInCatalogue, otherBaselines } from './type-differences.ts';
import { openWireAccount, type WireAccount } from './wire-account.ts';

let wire: WireAccount;
let listed: ReadonlyMap<string, DescribedType>;

beforeAll(async () => {
  wire = await openWireAccount();
  const types = await discoverTypes(wire.aws.ec2);
  listed = new Map(types.map((type) => [type.InstanceType ?? '', type]));
});

afterAll(() => wire.close());

/** moto ships a list that others recorded from EC2, which makes it an independent reference. */
describe('the catalogue compared with the list of moto', () => {
  it('lacks no type', () => {
    expect([...listed.keys()].filter((name) => instanceType(name) === undefined)).toEqual([]);
  });

  it('has only additional types that are listed with a reason', () => {
    // Macs are filtered out of what is listed, by their architecture.
    const more = instanceTypes()
      .map(({ InstanceType }) => InstanceType)
      .filter((name) => !name.startsWith('mac'));
    expect(more.filter((name) => !listed.has(name)).sort()).toEqual(Object.keys(onlyInCatalogue));
  });

  it('agrees on every type that both have', () => {
    const both = instanceTypes().filter(({ InstanceType }) => listed.has(InstanceType));
    expect(both.length).toBeGreaterThan(1300);
    expect(both.flatMap((type) => differences(type, listed.get(type.InstanceType) ?? {}))).toEqual([]);
  });

  it('agrees on the zones that offer each type', async () => {
    const offered = new Map<string, string[]>();
    let page: string | undefined;
    do {
      const answer = await wire.aws.ec2.describeInstanceTypeOfferings({
        LocationType: 'availability-zone-id',
        ...(page !== undefined && { NextToken: page }),
      });
      for (const { InstanceType = '', Location = '' } of answer.InstanceTypeOfferings ?? [])
        offered.set(InstanceType, [...(offered.get(InstanceType) ?? []), Location]);
      page = answer.NextToken;
    } while (page !== undefined && page !== '');
    const differing = instanceTypes().flatMap(({ InstanceType: name }) => {
      const ours = zonesOf(name, region).map(({ id }) => id);
      const theirs = offered.get(name) ?? [];
      return sorted(ours).join() === sorted(theirs).join() ? [] : [{ name, ours, theirs }];
    });
    expect(offered.size).toBeGreaterThan(1300);
    expect(differing).toEqual([]);
  });

  it('has the sum of the network cards as baseline bandwidth, except for types listed with a reason', () => {
    const others = [...listed].filter(([name, type]) => {
      const published = networkBandwidth(name);
      return published !== undefined && published !== baselineOf(type);
    });
    const explained = Object.values(otherBaselines).flatMap((names) => names.trim().split(/\s+/));
    expect(others.map(([name]) => name).sort()).toEqual(explained.sort());
  });
});

function baselineOf({ NetworkInfo }: DescribedType): number {
  const gbps =
    NetworkInfo?.NetworkCards?.map(({ BaselineBandwidthInGbps = 0 }) => BaselineBandwidthInGbps) ?? [];
  return Math.round(gbps.reduce((sum, card) => sum + card, 0) * 1000);
}

function differences(ours: DescribedType, theirs: DescribedType) {
  const their = new Map(Object.entries(factsOf(theirs)));
  return Object.entries(factsOf(ours))
    .filter(([fact, value]) => JSON.stringify(value) !== JSON.stringify(their.get(fact)))
    .map(([fact, value]) => ({ name: ours.InstanceType ?? '', fact, ours: value, theirs: their.get(fact) }));
}

/** Everything that labels and sizes depend on. */
function factsOf(type: DescribedType) {
  const { ProcessorInfo: processor, NetworkInfo: network, InstanceStorageInfo: storage } = type;
  return {
    vCpus: type.VCpuInfo?.DefaultVCpus,
    memory: type.MemoryInfo?.SizeInMiB,
    architectures: processor?.SupportedArchitectures,
    manufacturer: processor?.Manufacturer,
    clock: processor?.SustainedClockSpeedInGhz,
    hypervisor: type.Hypervisor,
    usage: sorted(type.SupportedUsageClasses),
    placement: sorted(type.PlacementGroupInfo?.SupportedStrategies),
    defaultCard: network?.DefaultNetworkCardIndex ?? 0,
    interfacesByCard: network?.NetworkCards?.map((card) => card.MaximumNetworkInterfaces),
    interfaces: network?.MaximumNetworkInterfaces,
    addresses: network?.Ipv4AddressesPerInterface,
    efaInterfaces: network?.EfaInfo?.MaximumEfaInterfaces ?? 0,
    encryptionInTransit: network?.EncryptionInTransitSupported,
    ebsMbps: type.EbsInfo?.EbsOptimizedInfo?.MaximumBandwidthInMbps,
    storage: [storage?.TotalSizeInGB, storage?.NvmeSupport],
    gpus: type.GpuInfo?.Gpus?.map(({ Name, Manufacturer, Count, MemoryInfo }) => [
      Manufacturer,
      Name,
      Count,
      MemoryInfo?.SizeInMiB,
    ]),
    neuron: type.NeuronInfo?.NeuronDevices?.map(({ Name, Count, CoreInfo }) => [
      Name,
      Count,
      CoreInfo?.Count,
    ]),
    accelerators: type.InferenceAcceleratorInfo?.Accelerators?.map(({ Name, Manufacturer, Count }) => [
      Manufacturer,
      Name,
      Count,
    ]),
  };
}

function sorted(values: readonly string[] = []): readonly string[] {
  return [...values].sort();
}
