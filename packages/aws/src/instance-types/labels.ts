import { labelKeys } from '@karpenter/core/api';
import { awsLabelKeys, instanceLabelKeys } from '../names/index.ts';
import {
  architectureOf,
  type DescribedDevice,
  type DescribedType,
  memoryMiBOf,
  nameOf,
  vCpusOf,
} from './described-type.ts';
import { bandwidthOf } from './network-facts.ts';

const labels = instanceLabelKeys;

/** One value per label. Undefined means that nodes of the type do not have the label. */
export type LabelValues = Readonly<Record<string, string | undefined>>;

/** Labels that depend on the instance type alone, not on zone, AMI or class. */
export function describedLabels(type: DescribedType): LabelValues {
  return {
    [labelKeys.instanceType]: nameOf(type),
    [labelKeys.architecture]: architectureOf(type),
    ...nameLabels(nameOf(type)),
    ...processorLabels(type),
    ...bandwidthLabels(type),
    ...gpuLabels(type),
    ...acceleratorLabels(type),
  };
}

/**
 * Category, optional memory size and generation of a name
 * such as `u7in-16tb.224xlarge`. The pattern is Karpenter's.
 */
const namePattern = /(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\./;

function nameLabels(name: string): LabelValues {
  const [family = '', size = ''] = name.split('.');
  const [, category, , generation] = namePattern.exec(name) ?? [];
  return {
    [labels.category]: category,
    [labels.generation]: generation,
    [labels.family]: family,
    [labels.size]: size,
    [labels.capabilityFlex]: String(family.includes('-flex')),
  };
}

function processorLabels(type: DescribedType): LabelValues {
  const { Manufacturer, SustainedClockSpeedInGhz: clock = 0 } = type.ProcessorInfo ?? {};
  return {
    [labels.cpu]: String(vCpusOf(type)),
    [labels.cpuManufacturer]: kebab(Manufacturer),
    // Zero where EC2 gives no clock speed, as in Karpenter.
    [labels.cpuSustainedClockSpeedMhz]: String(Math.round(clock * 1000)),
    [labels.memory]: String(memoryMiBOf(type)),
    // Bare metal has the label with an empty value, as in Karpenter.
    [labels.hypervisor]: type.Hypervisor ?? '',
  };
}

function bandwidthLabels(type: DescribedType): LabelValues {
  const { EbsInfo, NetworkInfo, InstanceStorageInfo } = type;
  const isOptimized = EbsInfo?.EbsOptimizedSupport === 'default';
  const hasNvme = InstanceStorageInfo !== undefined && InstanceStorageInfo.NvmeSupport !== 'unsupported';
  return {
    [labels.ebsBandwidth]: isOptimized
      ? numeral(EbsInfo.EbsOptimizedInfo?.MaximumBandwidthInMbps)
      : undefined,
    [labels.networkBandwidth]: numeral(bandwidthOf(type)),
    [labels.encryptionInTransitSupported]: String(NetworkInfo?.EncryptionInTransitSupported ?? false),
    [labels.localNvme]: hasNvme ? numeral(InstanceStorageInfo.TotalSizeInGB) : undefined,
  };
}

/** Types with several kinds of GPU get no GPU labels, because one label cannot describe them. */
function gpuLabels({ GpuInfo }: DescribedType): LabelValues {
  const gpu = only(GpuInfo?.Gpus);
  return {
    [labels.gpuName]: kebab(gpu?.Name),
    [labels.gpuManufacturer]: kebab(gpu?.Manufacturer),
    [labels.gpuCount]: numeral(gpu?.Count),
    [labels.gpuMemory]: numeral(gpu?.MemoryInfo?.SizeInMiB),
  };
}

function acceleratorLabels(type: DescribedType): LabelValues {
  const device = acceleratorOf(type);
  return {
    [labels.acceleratorName]: kebab(device?.Name),
    [labels.acceleratorManufacturer]: kebab(device?.Manufacturer),
    [labels.acceleratorCount]: numeral(device?.Count),
  };
}

/** Prefers NeuronInfo to the older InferenceAcceleratorInfo, which it supersedes. */
function acceleratorOf({ InferenceAcceleratorInfo, NeuronInfo }: DescribedType): DescribedDevice | undefined {
  if (NeuronInfo === undefined) return only(InferenceAcceleratorInfo?.Accelerators);
  const neuron = only(NeuronInfo.NeuronDevices);
  return neuron && { Name: neuron.Name, Count: neuron.Count, Manufacturer: 'aws' };
}

function only<T>(list: readonly T[] = []): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function numeral(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function kebab(text: string | undefined): string | undefined {
  return text?.toLowerCase().replaceAll(' ', '-');
}

/** Labels that only reserved offerings have; all others declare that they do not exist. */
export const reservationLabelKeys: readonly string[] = [
  awsLabelKeys.capacityReservationId,
  awsLabelKeys.capacityReservationType,
  awsLabelKeys.capacityReservationInterruptible,
];
