import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Ec2 } from '../ports/index.ts';
import type { DescribedDevice, DescribedNetwork, DescribedType } from './described-type.ts';

const typesPerPage = 100;
const offeringsPerPage = 1000;

/** The EC2 calls that discovery needs. */
export type TypeQueries = Pick<Ec2, 'describeInstanceTypes' | 'describeInstanceTypeOfferings'>;

/** Zones that offer each instance type. */
export type TypeZones = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Lists the instance types of the region that nodes can
 * run on, sorted by name. Rejects with the error of EC2.
 */
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
      if (type.InstanceType !== undefined) found.push(usedFields(type));
    }
    token = page.NextToken;
  } while (token !== undefined && token !== '');
  return found.sort((a, b) => ((a.InstanceType ?? '') < (b.InstanceType ?? '') ? -1 : 1));
}

/** Lists which zones of the region offer each type. Rejects with the error of EC2. */
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

/**
 * Copies only the fields that are read. EC2 returns several
 * times as many, and a thousand types stay in memory.
 */
function usedFields(type: InstanceTypeInfo): DescribedType {
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
    NetworkInfo: type.NetworkInfo && usedNetworkFields(type.NetworkInfo),
    GpuInfo: type.GpuInfo && { Gpus: type.GpuInfo.Gpus?.map(usedDeviceFields) },
    InferenceAcceleratorInfo: type.InferenceAcceleratorInfo && {
      Accelerators: type.InferenceAcceleratorInfo.Accelerators?.map(usedDeviceFields),
    },
  };
}

function usedNetworkFields(network: NonNullable<InstanceTypeInfo['NetworkInfo']>): DescribedNetwork {
  return {
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

function usedDeviceFields({ Name, Manufacturer, Count, MemoryInfo }: DescribedDevice): DescribedDevice {
  return { Name, Manufacturer, Count, MemoryInfo };
}
