/** The fields of a DescribeInstanceTypes record that the AWS provider reads, under EC2's names. */
export interface InstanceTypeInfo {
  readonly InstanceType: string;
  readonly BareMetal: boolean;
  /** Absent on bare metal. */
  readonly Hypervisor?: 'nitro' | 'xen';
  readonly SupportedUsageClasses: readonly UsageClass[];
  readonly SupportedVirtualizationTypes: readonly 'hvm'[];
  readonly ProcessorInfo: ProcessorInfo;
  readonly VCpuInfo: { readonly DefaultVCpus: number };
  readonly MemoryInfo: MemoryInfo;
  readonly InstanceStorageSupported: boolean;
  readonly InstanceStorageInfo?: InstanceStorageInfo;
  readonly EbsInfo: EbsInfo;
  readonly NetworkInfo: NetworkInfo;
  readonly PlacementGroupInfo: { readonly SupportedStrategies: readonly PlacementStrategy[] };
  readonly GpuInfo?: GpuInfo;
  readonly NeuronInfo?: NeuronInfo;
  readonly InferenceAcceleratorInfo?: InferenceAcceleratorInfo;
}

export type UsageClass = 'on-demand' | 'spot' | 'capacity-block';

export type PlacementStrategy = 'cluster' | 'partition' | 'spread';

interface MemoryInfo {
  readonly SizeInMiB: number;
}

export interface ProcessorInfo {
  readonly Manufacturer: string;
  readonly SupportedArchitectures: readonly ('i386' | 'x86_64' | 'arm64' | 'x86_64_mac' | 'arm64_mac')[];
  readonly SustainedClockSpeedInGhz?: number;
  /** Only the feature that the compatibility check needs. */
  readonly SupportedFeatures?: readonly 'nested-virtualization'[];
}

export interface InstanceStorageInfo {
  readonly TotalSizeInGB: number;
  readonly NvmeSupport: 'required' | 'unsupported';
}

export interface EbsInfo {
  readonly EbsOptimizedSupport: 'default' | 'supported' | 'unsupported';
  readonly EbsOptimizedInfo?: { readonly MaximumBandwidthInMbps: number };
}

export interface NetworkInfo {
  readonly MaximumNetworkInterfaces: number;
  readonly MaximumNetworkCards: number;
  readonly DefaultNetworkCardIndex: number;
  readonly NetworkCards: readonly NetworkCardInfo[];
  readonly Ipv4AddressesPerInterface: number;
  readonly EnaSupport: 'required' | 'supported' | 'unsupported';
  readonly EncryptionInTransitSupported: boolean;
  readonly EfaSupported: boolean;
  readonly EfaInfo?: { readonly MaximumEfaInterfaces: number };
}

interface NetworkCardInfo {
  readonly NetworkCardIndex: number;
  readonly MaximumNetworkInterfaces: number;
}

export interface GpuInfo {
  readonly Gpus: readonly DeviceInfo[];
  readonly TotalGpuMemoryInMiB: number;
}

export interface InferenceAcceleratorInfo {
  readonly Accelerators: readonly DeviceInfo[];
  readonly TotalInferenceMemoryInMiB: number;
}

interface DeviceInfo {
  readonly Name: string;
  readonly Manufacturer: string;
  readonly Count: number;
  readonly MemoryInfo: MemoryInfo;
}

export interface NeuronInfo {
  readonly NeuronDevices: readonly NeuronDeviceInfo[];
  readonly TotalNeuronDeviceMemoryInMiB: number;
}

interface NeuronDeviceInfo {
  readonly Name: string;
  readonly Count: number;
  readonly CoreInfo: { readonly Count: number; readonly Version: number };
  readonly MemoryInfo: MemoryInfo;
}
