import { type DescribedType, discoverTypes } from '@karpenter/aws';
import { instanceType, instanceTypes, networkBandwidth } from '@karpenter/ec2-catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyInCatalogue, onlyInMoto, otherBaselines } from './type-differences.ts';
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
  it('lacks only families that are listed with a reason', () => {
    const missing = [...listed.keys()].filter((name) => instanceType(name) === undefined);
    const families = new Set(missing.map((name) => name.split('.')[0]));
    expect([...families].sort()).toEqual(Object.keys(onlyInMoto));
  });

  it('has only additional types that are listed with a reason', () => {
    const more = instanceTypes().map(({ InstanceType }) => InstanceType);
    expect(more.filter((name) => !listed.has(name)).sort()).toEqual(Object.keys(onlyInCatalogue));
  });

  it('agrees on every type that both have', () => {
    const both = instanceTypes().filter(({ InstanceType }) => listed.has(InstanceType));
    expect(both.length).toBeGreaterThan(1300);
    expect(both.flatMap((type) => differences(type, listed.get(type.InstanceType) ?? {}))).toEqual([]);
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
