import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Ec2 } from '../ports/index.ts';
import type { DescribedDevice, DescribedNetwork, DescribedType } from './described-type.ts';

const typesPerPage = 100;
const offeringsPerPage = 1000;

/** What of EC2 tells of instance types. */
export type TypeQueries = Pick<Ec2, 'describeInstanceTypes' | 'describeInstanceTypeOfferings'>;

/** The zones of a region that sell each type. */
export type TypeZones = ReadonlyMap<string, ReadonlySet<string>>;

/** Every type of the region that nodes can run on, by name. */
export async function discoverTypes(ec2: TypeQueries): Promise<readonly DescribedType[]> {
  const found: DescribedType[] = [];
  let token: string | undefined;
  do {
    const page = await ec2.describeInstanceTypes({
      Filters: [
        { Name: 'supported-virtualization-type', Values: ['hvm'] },
        { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
      ],
      MaxResults: typesPerPage,
      ...(token !== undefined && { NextToken: token }),
    });
    for (const type of page.InstanceTypes ?? []) {
      if (type.InstanceType !== undefined) found.push(fieldsRead(type));
    }
    token = page.NextToken;
  } while (token !== undefined && token !== '');
  return found.sort((a, b) => ((a.InstanceType ?? '') < (b.InstanceType ?? '') ? -1 : 1));
}

export async function discoverZones(ec2: TypeQueries): Promise<TypeZones> {
  const zones = new Map<string, Set<string>>();
  let token: string | undefined;
  do {
    const page = await ec2.describeInstanceTypeOfferings({
      LocationType: 'availability-zone',
      MaxResults: offeringsPerPage,
      ...(token !== undefined && { NextToken: token }),
    });
    for (const { InstanceType: type, Location: zone } of page.InstanceTypeOfferings ?? []) {
      if (type !== undefined && zone !== undefined) zones.set(type, (zones.get(type) ?? new Set()).add(zone));
    }
    token = page.NextToken;
  } while (token !== undefined && token !== '');
  return zones;
}

/** EC2 says several times as much of each type as anybody reads; a thousand types stay in memory. */
function fieldsRead(type: InstanceTypeInfo): DescribedType {
  const { InstanceType, Hypervisor, SupportedUsageClasses, PlacementGroupInfo } = type;
  const { ProcessorInfo, VCpuInfo, MemoryInfo, InstanceStorageInfo, EbsInfo } = type;
  return {
    InstanceType,
    Hypervisor,
    SupportedUsageClasses,
    PlacementGroupInfo,
    MemoryInfo,
    NeuronInfo: type.NeuronInfo,
    ProcessorInfo,
    VCpuInfo: VCpuInfo && { DefaultVCpus: VCpuInfo.DefaultVCpus },
    InstanceStorageInfo: InstanceStorageInfo && {
      TotalSizeInGB: InstanceStorageInfo.TotalSizeInGB,
      NvmeSupport: InstanceStorageInfo.NvmeSupport,
    },
    EbsInfo: EbsInfo && {
      EbsOptimizedSupport: EbsInfo.EbsOptimizedSupport,
      EbsOptimizedInfo: EbsInfo.EbsOptimizedInfo && {
        MaximumBandwidthInMbps: EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps,
      },
    },
    NetworkInfo: type.NetworkInfo && networkRead(type.NetworkInfo),
    GpuInfo: type.GpuInfo && { Gpus: type.GpuInfo.Gpus?.map(deviceRead) },
    InferenceAcceleratorInfo: type.InferenceAcceleratorInfo && {
      Accelerators: type.InferenceAcceleratorInfo.Accelerators?.map(deviceRead),
    },
  };
}

function networkRead(network: NonNullable<InstanceTypeInfo['NetworkInfo']>): DescribedNetwork {
  return {
    NetworkPerformance: network.NetworkPerformance,
    DefaultNetworkCardIndex: network.DefaultNetworkCardIndex,
    MaximumNetworkInterfaces: network.MaximumNetworkInterfaces,
    Ipv4AddressesPerInterface: network.Ipv4AddressesPerInterface,
    EnaSupport: network.EnaSupport,
    EncryptionInTransitSupported: network.EncryptionInTransitSupported,
    EfaInfo: network.EfaInfo,
    NetworkCards: network.NetworkCards?.map((card) => ({
      NetworkCardIndex: card.NetworkCardIndex,
      MaximumNetworkInterfaces: card.MaximumNetworkInterfaces,
      BaselineBandwidthInGbps: card.BaselineBandwidthInGbps,
    })),
  };
}

function deviceRead({ Name, Manufacturer, Count, MemoryInfo }: DescribedDevice): DescribedDevice {
  return { Name, Manufacturer, Count, MemoryInfo };
}
