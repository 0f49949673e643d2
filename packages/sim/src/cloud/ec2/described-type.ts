import type * as Catalogue from '@karpenter/ec2-catalogue';
import { type Ec2DescribedType, isInstanceTypeName } from './shapes.ts';

/**
 * A catalogue entry in the shape of DescribeInstanceTypes. Copies lists, because callers may change what they
 * receive.
 */
export function describeType(info: Catalogue.InstanceTypeInfo): Ec2DescribedType {
  const { InstanceType, BareMetal, Hypervisor } = info;
  return {
    ...(isInstanceTypeName(InstanceType) && { InstanceType }),
    BareMetal,
    ...(Hypervisor !== undefined && { Hypervisor }),
    CurrentGeneration: true,
    SupportedUsageClasses: [...info.SupportedUsageClasses],
    SupportedRootDeviceTypes: ['ebs'],
    SupportedVirtualizationTypes: [...info.SupportedVirtualizationTypes],
    ProcessorInfo: processorOf(info),
    VCpuInfo: { ...info.VCpuInfo },
    MemoryInfo: { ...info.MemoryInfo },
    InstanceStorageSupported: info.InstanceStorageSupported,
    ...(info.InstanceStorageInfo !== undefined && { InstanceStorageInfo: { ...info.InstanceStorageInfo } }),
    EbsInfo: ebsOf(info),
    NetworkInfo: {
      ...info.NetworkInfo,
      NetworkCards: info.NetworkInfo.NetworkCards.map((card) => ({ ...card })),
    },
    PlacementGroupInfo: { SupportedStrategies: [...info.PlacementGroupInfo.SupportedStrategies] },
    ...devicesOf(info),
  };
}

function processorOf({
  ProcessorInfo: processor,
}: Catalogue.InstanceTypeInfo): NonNullable<Ec2DescribedType['ProcessorInfo']> {
  const { SupportedArchitectures, SupportedFeatures, ...others } = processor;
  return {
    ...others,
    SupportedArchitectures: [...SupportedArchitectures],
    ...(SupportedFeatures !== undefined && { SupportedFeatures: [...SupportedFeatures] }),
  };
}

function ebsOf({ EbsInfo: ebs }: Catalogue.InstanceTypeInfo): NonNullable<Ec2DescribedType['EbsInfo']> {
  const { EbsOptimizedInfo, ...others } = ebs;
  return {
    ...others,
    ...(EbsOptimizedInfo !== undefined && { EbsOptimizedInfo: { ...EbsOptimizedInfo } }),
  };
}

function devicesOf({
  GpuInfo,
  NeuronInfo,
  InferenceAcceleratorInfo,
}: Catalogue.InstanceTypeInfo): Ec2DescribedType {
  return {
    ...(GpuInfo !== undefined && { GpuInfo: { ...GpuInfo, Gpus: copies(GpuInfo.Gpus) } }),
    ...(NeuronInfo !== undefined && {
      NeuronInfo: { ...NeuronInfo, NeuronDevices: copies(NeuronInfo.NeuronDevices) },
    }),
    ...(InferenceAcceleratorInfo !== undefined && {
      InferenceAcceleratorInfo: {
        ...InferenceAcceleratorInfo,
        Accelerators: copies(InferenceAcceleratorInfo.Accelerators),
      },
    }),
  };
}

function copies<T extends object>(items: readonly T[]): T[] {
  return items.map((item) => structuredClone(item));
}
