import type { AmiFamily } from '../ami-family/index.ts';
import type { BlockDeviceMapping, KubeletConfiguration, NetworkInterface } from '../node-class/index.ts';

/** What of a NodeClass, beside the type itself, decides how much of a machine is left for pods. */
export interface NodeFacts {
  readonly family: AmiFamily;
  readonly kubelet?: KubeletConfiguration | undefined;
  readonly blockDeviceMappings?: readonly BlockDeviceMapping[] | undefined;
  readonly instanceStorePolicy?: 'RAID0' | undefined;
  /** An empty list is not the same as none: it asks for no EFA interface. */
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
}

/** Settings of the controller that the sizes of nodes depend on. */
export interface SizeSettings {
  /** Share of the memory that firmware and hypervisor keep. */
  readonly vmMemoryOverheadPercent: number;
  /** Network interfaces of each node that are not for pods. */
  readonly reservedEnis: number;
}
