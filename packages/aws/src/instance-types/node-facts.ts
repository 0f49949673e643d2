import type { AmiFamily } from '../ami-family/index.ts';
import type { BlockDeviceMapping, KubeletConfiguration, NetworkInterface } from '../node-class/index.ts';

/** The settings of an EC2NodeClass that affect a node's capacity and overhead. */
export interface NodeFacts {
  readonly family: AmiFamily;
  readonly kubelet?: KubeletConfiguration | undefined;
  readonly blockDeviceMappings?: readonly BlockDeviceMapping[] | undefined;
  /** What nodes are launched with: the mappings of the class, else those of the AMI family. */
  readonly blockDevices?: readonly BlockDeviceMapping[] | undefined;
  readonly associatesPublicAddress?: boolean | undefined;
  readonly instanceStorePolicy?: 'RAID0' | undefined;
  /** An empty list differs from undefined: it means no EFA interfaces, as in Karpenter. */
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
}

/** Controller settings that affect capacity and overhead. */
export interface SizeSettings {
  /** Share of the memory that firmware and hypervisor take. */
  readonly vmMemoryOverheadPercent: number;
  /** Network interfaces per node that pods cannot use (`RESERVED_ENIS`). */
  readonly reservedEnis: number;
}
