import { awsLabelKeys, instanceLabelKeys, placementLabelKeys, tenancies } from '@karpenter/aws';
import { labelKeys } from '@karpenter/core/api';
import type { RequirementItem } from '@karpenter/core/requirements';
import { type InstanceTypeInfo, networkBandwidth } from '@karpenter/ec2-catalogue';

const labels = instanceLabelKeys;
const architectures: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' };

/** What the labels of a type's nodes may be, where it does not depend on the place. */
export function typeRequirements(info: InstanceTypeInfo, region: string): readonly RequirementItem[] {
  const values: LabelValues = {
    [labelKeys.instanceType]: info.InstanceType,
    [labelKeys.architecture]: architecture(info),
    [labelKeys.operatingSystem]: 'linux',
    [labelKeys.windowsBuild]: undefined,
    [labelKeys.region]: region,
    ...nameLabels(info.InstanceType),
    ...processorLabels(info),
    ...bandwidthLabels(info),
    ...gpuLabels(info),
    ...acceleratorLabels(info),
  };
  const ofType = [
    ...Object.keys(values),
    ...Object.values(instanceLabelKeys),
    ...Object.values(placementLabelKeys),
  ];
  const keys = [...new Set(ofType)].filter((key) => key !== awsLabelKeys.tenancy);
  return [
    ...keys.map((key) => isOrIsAbsent(key, values[key])),
    { key: awsLabelKeys.tenancy, operator: 'In', values: Object.values(tenancies) },
  ];
}

type LabelValues = Readonly<Record<string, string | number | boolean | undefined>>;

function isOrIsAbsent(key: string, value: LabelValues[string]): RequirementItem {
  return value === undefined
    ? { key, operator: 'DoesNotExist' }
    : { key, operator: 'In', values: [String(value)] };
}

export function architecture({ ProcessorInfo }: InstanceTypeInfo): string | undefined {
  const [first = ''] = ProcessorInfo.SupportedArchitectures;
  return architectures[first];
}

function nameLabels(name: string): LabelValues {
  const [family = '', size = ''] = name.split('.');
  const [, category, , generation] = /(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\./.exec(name) ?? [];
  return {
    [labels.category]: category,
    [labels.generation]: generation,
    [labels.family]: family,
    [labels.size]: size,
    [labels.capabilityFlex]: family.includes('-flex'),
  };
}

function processorLabels({ VCpuInfo, ProcessorInfo, MemoryInfo, Hypervisor }: InstanceTypeInfo): LabelValues {
  const clock = ProcessorInfo.SustainedClockSpeedInGhz;
  return {
    [labels.cpu]: VCpuInfo.DefaultVCpus,
    [labels.cpuManufacturer]: kebab(ProcessorInfo.Manufacturer),
    [labels.cpuSustainedClockSpeedMhz]: clock === undefined ? undefined : Math.round(clock * 1000),
    [labels.memory]: MemoryInfo.SizeInMiB,
    // Bare metal has the label, with no text in it.
    [labels.hypervisor]: Hypervisor ?? '',
  };
}

function bandwidthLabels(info: InstanceTypeInfo): LabelValues {
  const { InstanceType, EbsInfo, NetworkInfo, InstanceStorageInfo } = info;
  const isOptimized = EbsInfo.EbsOptimizedSupport === 'default';
  const hasNvme = InstanceStorageInfo !== undefined && InstanceStorageInfo.NvmeSupport !== 'unsupported';
  return {
    [labels.ebsBandwidth]: isOptimized ? EbsInfo.EbsOptimizedInfo?.MaximumBandwidthInMbps : undefined,
    [labels.networkBandwidth]: networkBandwidth(InstanceType),
    [labels.encryptionInTransitSupported]: NetworkInfo.EncryptionInTransitSupported,
    [labels.localNvme]: hasNvme ? InstanceStorageInfo.TotalSizeInGB : undefined,
  };
}

/** Types with several sorts of GPU cannot be told by one label. */
function gpuLabels({ GpuInfo }: InstanceTypeInfo): LabelValues {
  const gpu = only(GpuInfo?.Gpus);
  if (gpu === undefined) return {};
  return {
    [labels.gpuName]: kebab(gpu.Name),
    [labels.gpuManufacturer]: kebab(gpu.Manufacturer),
    [labels.gpuCount]: gpu.Count,
    [labels.gpuMemory]: gpu.MemoryInfo.SizeInMiB,
  };
}

function acceleratorLabels({ InferenceAcceleratorInfo, NeuronInfo }: InstanceTypeInfo): LabelValues {
  const neuron = only(NeuronInfo?.NeuronDevices);
  const device =
    neuron === undefined ? only(InferenceAcceleratorInfo?.Accelerators) : { ...neuron, Manufacturer: 'aws' };
  if (device === undefined) return {};
  return {
    [labels.acceleratorName]: kebab(device.Name),
    [labels.acceleratorManufacturer]: kebab(device.Manufacturer),
    [labels.acceleratorCount]: device.Count,
  };
}

function only<T>(list: readonly T[] = []): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function kebab(text: string | undefined): string | undefined {
  return text?.toLowerCase().replaceAll(' ', '-');
}
