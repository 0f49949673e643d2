/**
 * The EC2NodeClass API: CRD schema with rules and defaults, types of its status, and the drift hash. Pure.
 * Start with ec2-node-class.ts. Schemas, rules and messages match Karpenter's CRD; descriptions are our own.
 */

export type { BlockDevice, BlockDeviceMapping } from './block-device-schema.ts';
export {
  type EC2NodeClass,
  type EC2NodeClassSpec,
  type EC2NodeClassStatus,
  ec2NodeClassKind,
} from './ec2-node-class.ts';
export { ec2NodeClassHash, ec2NodeClassHashVersion } from './hash.ts';
export type {
  ConnectionTracking,
  CpuOptions,
  MetadataOptions,
  NetworkInterface,
} from './instance-options-schema.ts';
export type { KubeletConfiguration } from './kubelet-schema.ts';
export type {
  AmiSelectorTerm,
  CapacityReservationSelectorTerm,
  PlacementGroupSelector,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from './selector-terms.ts';
export { aliasFamilies } from './selector-terms.ts';
export type {
  AmiStatus,
  CapacityReservationStatus,
  SecurityGroupStatus,
  SubnetStatus,
} from './status-schema.ts';
