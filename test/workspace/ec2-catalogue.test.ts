import {
  branchInterfaces,
  type InstanceTypeInfo,
  instanceType,
  networkBandwidth,
} from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

/** A record of DescribeInstanceTypes, and the instance types that Karpenter 1.14.1 makes of it. */
interface Recorded {
  readonly describe: Described;
  readonly results: readonly Result[];
}

/** EC2 has more processor features and device attributes than the catalogue. */
type Described = Omit<InstanceTypeInfo, 'ProcessorInfo'> & {
  readonly ProcessorInfo: Omit<InstanceTypeInfo['ProcessorInfo'], 'SupportedFeatures'> & {
    readonly SupportedFeatures?: readonly string[];
  };
};

interface Result {
  readonly variant: string;
  readonly labels: Readonly<Record<string, readonly string[] | 'DoesNotExist'>>;
  readonly capacity: Readonly<Record<string, string>>;
}

const recording = recordedLines<Recorded>('spec/aws-types.jsonl', 'KARPENTER_TYPES');

describe.skipIf(recording.length === 0)('the EC2 catalogue', () => {
  it('has every recorded type', () => {
    const missing = recording.map(nameOf).filter((name) => instanceType(name) === undefined);
    expect(missing).toEqual([]);
  });

  it.each(recording.map(nameOf))('describes %s as EC2 does', (name) => {
    expect(instanceType(name)).toEqual(catalogueFields(recorded(name).describe));
  });

  it.each(recording.map(nameOf))('knows the network bandwidth and branch interfaces of %s', (name) => {
    const result = recorded(name).results.find(({ variant }) => variant === 'al2023');
    const bandwidth = networkBandwidth(name)?.toString();
    expect(bandwidth === undefined ? 'DoesNotExist' : [bandwidth]).toEqual(
      result?.labels['karpenter.k8s.aws/instance-network-bandwidth'],
    );
    expect(branchInterfaces(name)).toBe(Number(result?.capacity['vpc.amazonaws.com/pod-eni'] ?? 0));
  });
});

function nameOf({ describe }: Recorded): string {
  return describe.InstanceType;
}

function recorded(name: string): Recorded {
  const found = recording.find((type) => nameOf(type) === name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return found;
}

/** A record reduced to what the catalogue holds. */
function catalogueFields(type: Described): object {
  return withoutAbsent({
    ...pick(type, ['InstanceType', 'BareMetal', 'Hypervisor', 'SupportedUsageClasses']),
    ...pick(type, ['SupportedVirtualizationTypes', 'MemoryInfo', 'InstanceStorageSupported']),
    ...pick(type, ['PlacementGroupInfo']),
    VCpuInfo: pick(type.VCpuInfo, ['DefaultVCpus']),
    ProcessorInfo: processorFields(type.ProcessorInfo),
    InstanceStorageInfo:
      type.InstanceStorageInfo && pick(type.InstanceStorageInfo, ['TotalSizeInGB', 'NvmeSupport']),
    EbsInfo: ebsFields(type.EbsInfo),
    NetworkInfo: networkFields(type.NetworkInfo),
    GpuInfo: type.GpuInfo && { ...type.GpuInfo, Gpus: type.GpuInfo.Gpus.map(deviceFields) },
    NeuronInfo: type.NeuronInfo,
    InferenceAcceleratorInfo: type.InferenceAcceleratorInfo,
  });
}

/** The catalogue holds only the processor feature that the provider uses. */
function processorFields(info: Described['ProcessorInfo']): object {
  const features = info.SupportedFeatures?.filter((feature) => feature === 'nested-virtualization') ?? [];
  return {
    ...pick(info, ['Manufacturer', 'SupportedArchitectures', 'SustainedClockSpeedInGhz']),
    ...(features.length === 0 ? {} : { SupportedFeatures: features }),
  };
}

function ebsFields(info: InstanceTypeInfo['EbsInfo']): object {
  return {
    EbsOptimizedSupport: info.EbsOptimizedSupport,
    EbsOptimizedInfo: info.EbsOptimizedInfo && pick(info.EbsOptimizedInfo, ['MaximumBandwidthInMbps']),
  };
}

function networkFields(info: InstanceTypeInfo['NetworkInfo']): object {
  return withoutAbsent({
    ...pick(info, ['MaximumNetworkInterfaces', 'MaximumNetworkCards', 'DefaultNetworkCardIndex']),
    ...pick(info, ['Ipv4AddressesPerInterface', 'EnaSupport', 'EncryptionInTransitSupported']),
    ...pick(info, ['EfaSupported', 'EfaInfo']),
    NetworkCards: info.NetworkCards.map((card) =>
      pick(card, ['NetworkCardIndex', 'MaximumNetworkInterfaces']),
    ),
  });
}

function deviceFields(device: object): object {
  return pick(device as Record<string, unknown>, ['Name', 'Manufacturer', 'Count', 'MemoryInfo']);
}

function pick<T extends object>(from: T, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>;
}

function withoutAbsent(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
