type Maybe<T> = T | undefined;

/**
 * The fields of a DescribeInstanceTypes record that are read here, from EC2, a file or the catalogue. Every
 * field is optional: EC2 omits what does not apply to a type.
 */
export interface DescribedType {
  readonly InstanceType?: Maybe<string>;
  /** Absent on bare metal. */
  readonly Hypervisor?: Maybe<string>;
  readonly SupportedUsageClasses?: Maybe<readonly string[]>;
  readonly ProcessorInfo?: Maybe<DescribedProcessor>;
  readonly VCpuInfo?: Maybe<{ readonly DefaultVCpus?: Maybe<number> }>;
  readonly MemoryInfo?: Maybe<DescribedMemory>;
  readonly InstanceStorageInfo?: Maybe<DescribedStorage>;
  readonly EbsInfo?: Maybe<DescribedEbs>;
  readonly NetworkInfo?: Maybe<DescribedNetwork>;
  readonly PlacementGroupInfo?: Maybe<{ readonly SupportedStrategies?: Maybe<readonly string[]> }>;
  readonly GpuInfo?: Maybe<{ readonly Gpus?: Maybe<readonly DescribedDevice[]> }>;
  readonly InferenceAcceleratorInfo?: Maybe<{ readonly Accelerators?: Maybe<readonly DescribedDevice[]> }>;
  readonly NeuronInfo?: Maybe<{ readonly NeuronDevices?: Maybe<readonly DescribedNeuronDevice[]> }>;
}

interface DescribedMemory {
  readonly SizeInMiB?: Maybe<number>;
}

interface DescribedProcessor {
  readonly Manufacturer?: Maybe<string>;
  readonly SupportedArchitectures?: Maybe<readonly string[]>;
  readonly SupportedFeatures?: Maybe<readonly string[]>;
  readonly SustainedClockSpeedInGhz?: Maybe<number>;
}

interface DescribedStorage {
  readonly TotalSizeInGB?: Maybe<number>;
  readonly NvmeSupport?: Maybe<string>;
}

interface DescribedEbs {
  readonly EbsOptimizedSupport?: Maybe<string>;
  readonly EbsOptimizedInfo?: Maybe<{ readonly MaximumBandwidthInMbps?: Maybe<number> }>;
}

export interface DescribedNetwork {
  readonly DefaultNetworkCardIndex?: Maybe<number>;
  readonly NetworkCards?: Maybe<readonly DescribedNetworkCard[]>;
  readonly MaximumNetworkInterfaces?: Maybe<number>;
  readonly Ipv4AddressesPerInterface?: Maybe<number>;
  readonly EnaSupport?: Maybe<string>;
  readonly EncryptionInTransitSupported?: Maybe<boolean>;
  readonly EfaInfo?: Maybe<{ readonly MaximumEfaInterfaces?: Maybe<number> }>;
}

interface DescribedNetworkCard {
  readonly NetworkCardIndex?: Maybe<number>;
  readonly MaximumNetworkInterfaces?: Maybe<number>;
  readonly BaselineBandwidthInGbps?: Maybe<number>;
}

export interface DescribedDevice {
  readonly Name?: Maybe<string>;
  readonly Manufacturer?: Maybe<string>;
  readonly Count?: Maybe<number>;
  readonly MemoryInfo?: Maybe<DescribedMemory>;
}

interface DescribedNeuronDevice {
  readonly Name?: Maybe<string>;
  readonly Count?: Maybe<number>;
  readonly CoreInfo?: Maybe<{ readonly Count?: Maybe<number> }>;
}

export function nameOf({ InstanceType }: DescribedType): string {
  return InstanceType ?? '';
}

export function vCpusOf({ VCpuInfo }: DescribedType): number {
  return VCpuInfo?.DefaultVCpus ?? 0;
}

export function memoryMiBOf({ MemoryInfo }: DescribedType): number {
  return MemoryInfo?.SizeInMiB ?? 0;
}

const kubernetesArchitectures: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' };

/**
 * Kubernetes' name of the architecture. Unknown ones appear in brackets, as in Karpenter, and match no pod.
 */
export function architectureOf({ ProcessorInfo }: DescribedType): string {
  const all = ProcessorInfo?.SupportedArchitectures ?? [];
  const known = all.find((name) => Object.hasOwn(kubernetesArchitectures, name));
  return kubernetesArchitectures[known ?? ''] ?? `[${all.join(' ')}]`;
}
