import * as traits from '../facts/traits.ts';
import type {
  EbsInfo,
  InstanceStorageInfo,
  InstanceTypeInfo,
  PlacementStrategy,
  ProcessorInfo,
  UsageClass,
} from '../instance-type-info.ts';
import { isAmong } from '../notation/family-table.ts';
import { describeDevices } from './describe-devices.ts';
import { describeNetwork } from './describe-network.ts';
import { isOnXen } from './hypervisor.ts';
import type { Shape } from './shape.ts';

/** Converts a shape to a DescribeInstanceTypes record. */
export function describe(shape: Shape): InstanceTypeInfo {
  const { size } = shape;
  return {
    InstanceType: shape.name,
    BareMetal: size.metal,
    ...(size.metal ? {} : { Hypervisor: isOnXen(shape) ? 'xen' : 'nitro' }),
    SupportedUsageClasses: usageClasses(shape),
    SupportedVirtualizationTypes: ['hvm'],
    ProcessorInfo: processorInfo(shape),
    VCpuInfo: { DefaultVCpus: size.vcpus },
    MemoryInfo: { SizeInMiB: shape.memoryMiB },
    InstanceStorageSupported: shape.storageGB > 0,
    ...(shape.storageGB > 0 ? { InstanceStorageInfo: storageInfo(shape) } : {}),
    EbsInfo: ebsInfo(shape),
    NetworkInfo: describeNetwork(shape),
    PlacementGroupInfo: { SupportedStrategies: placementStrategies(shape) },
    ...describeDevices(shape.devices),
  };
}

function usageClasses({ name, family }: Shape): readonly UsageClass[] {
  const blocks = isAmong(traits.withCapacityBlocks, family) || traits.withCapacityBlocks.has(name);
  return [
    ...(blocks ? (['capacity-block'] as const) : []),
    'on-demand',
    ...(isAmong(traits.withoutSpot, family) || traits.withoutSpot.has(name) ? [] : (['spot'] as const)),
  ];
}

function processorInfo(shape: Shape): ProcessorInfo {
  const { family, size, processor } = shape;
  const nested = !size.metal && isAmong(traits.withNestedVirtualization, family);
  return {
    Manufacturer: processor.manufacturer,
    SupportedArchitectures: architectures(shape),
    ...(processor.ghz === undefined ? {} : { SustainedClockSpeedInGhz: processor.ghz }),
    ...(nested ? { SupportedFeatures: ['nested-virtualization'] } : {}),
  };
}

function storageInfo({ family, storageGB }: Shape): InstanceStorageInfo {
  const nvme = !isAmong(traits.withDisksThatAreNotNvme, family);
  return { TotalSizeInGB: storageGB, NvmeSupport: nvme ? 'required' : 'unsupported' };
}

/** EC2 has architectures of their own for Macs, and lists the 32-bit one first. */
function architectures({ name, family, processor: { architecture } }: Shape) {
  if (family.startsWith('mac')) return [`${architecture}_mac`] as const;
  return traits.with32Bits.has(name) ? (['i386', architecture] as const) : [architecture];
}

function ebsInfo({ family, ebsMbps }: Shape): EbsInfo {
  return {
    EbsOptimizedSupport: ebsSupport(family, ebsMbps),
    ...(ebsMbps === undefined ? {} : { EbsOptimizedInfo: { MaximumBandwidthInMbps: ebsMbps } }),
  };
}

function ebsSupport(family: string, mbps: number | undefined): EbsInfo['EbsOptimizedSupport'] {
  if (isAmong(traits.withoutEbsOptimization, family)) return 'unsupported';
  if (!isAmong(traits.withEbsOnRequest, family)) return 'default';
  return mbps === undefined ? 'unsupported' : 'supported';
}

function placementStrategies({ family }: Shape): readonly PlacementStrategy[] {
  const all = ['cluster', 'partition', 'spread'] as const;
  return isAmong(traits.withoutClusterPlacement, family) ? all.slice(1) : all;
}
