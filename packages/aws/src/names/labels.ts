import { coreLabelPolicy, extendLabelPolicy, type LabelPolicy, labelKeys } from '@karpenter/core/api';

/** The label domain that the AWS provider keeps to itself. */
export const awsLabelDomain = 'karpenter.k8s.aws';

/** What an instance type is; every key is set, or known to be absent, on each type. */
export const instanceLabelKeys = {
  category: 'karpenter.k8s.aws/instance-category',
  generation: 'karpenter.k8s.aws/instance-generation',
  family: 'karpenter.k8s.aws/instance-family',
  size: 'karpenter.k8s.aws/instance-size',
  capabilityFlex: 'karpenter.k8s.aws/instance-capability-flex',
  cpu: 'karpenter.k8s.aws/instance-cpu',
  cpuManufacturer: 'karpenter.k8s.aws/instance-cpu-manufacturer',
  cpuSustainedClockSpeedMhz: 'karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz',
  memory: 'karpenter.k8s.aws/instance-memory',
  ebsBandwidth: 'karpenter.k8s.aws/instance-ebs-bandwidth',
  networkBandwidth: 'karpenter.k8s.aws/instance-network-bandwidth',
  hypervisor: 'karpenter.k8s.aws/instance-hypervisor',
  encryptionInTransitSupported: 'karpenter.k8s.aws/instance-encryption-in-transit-supported',
  localNvme: 'karpenter.k8s.aws/instance-local-nvme',
  gpuName: 'karpenter.k8s.aws/instance-gpu-name',
  gpuManufacturer: 'karpenter.k8s.aws/instance-gpu-manufacturer',
  gpuCount: 'karpenter.k8s.aws/instance-gpu-count',
  gpuMemory: 'karpenter.k8s.aws/instance-gpu-memory',
  acceleratorName: 'karpenter.k8s.aws/instance-accelerator-name',
  acceleratorManufacturer: 'karpenter.k8s.aws/instance-accelerator-manufacturer',
  acceleratorCount: 'karpenter.k8s.aws/instance-accelerator-count',
} as const;

/** Where and how an instance is placed. */
export const placementLabelKeys = {
  tenancy: 'karpenter.k8s.aws/instance-tenancy',
  capacityReservationId: 'karpenter.k8s.aws/capacity-reservation-id',
  capacityReservationType: 'karpenter.k8s.aws/capacity-reservation-type',
  capacityReservationInterruptible: 'karpenter.k8s.aws/capacity-reservation-interruptible',
  placementGroupId: 'karpenter.k8s.aws/placement-group-id',
  placementGroupPartition: 'karpenter.k8s.aws/placement-group-partition',
} as const;

export const awsLabelKeys = {
  ...instanceLabelKeys,
  ...placementLabelKeys,
  ec2NodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  zoneId: 'topology.k8s.aws/zone-id',
} as const;

export const tenancies = { default: 'default', dedicated: 'dedicated' } as const;

/** Labels of the domain that NodePools and NodeClaims may use; the rules of their CRDs list them. */
export const selectableAwsLabels: readonly string[] = [
  awsLabelKeys.ec2NodeClass,
  ...Object.values(instanceLabelKeys),
  ...Object.values(placementLabelKeys),
].sort();

/** Those that NodeOverlays may use: overlays speak of types, not of where instances are placed. */
export const selectableAwsOverlayLabels: readonly string[] = selectableAwsLabels.filter(
  (key) => !Object.values<string>(placementLabelKeys).includes(key),
);

export const awsWellKnownLabels: ReadonlySet<string> = new Set([
  ...Object.values(instanceLabelKeys),
  ...Object.values(placementLabelKeys),
  awsLabelKeys.zoneId,
]);

/** The label rules of a cluster on AWS. The zone label of the EBS driver is read as the ordinary one. */
export const awsLabelPolicy: LabelPolicy = extendLabelPolicy(coreLabelPolicy, {
  wellKnown: awsWellKnownLabels,
  restrictedDomains: new Set([awsLabelDomain]),
  aliases: new Map([['topology.ebs.csi.aws.com/zone', labelKeys.zone]]),
});
