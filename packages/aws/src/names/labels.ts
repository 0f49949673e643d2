import { coreLabelPolicy, extendLabelPolicy, type LabelPolicy, labelKeys } from '@karpenter/core/api';

/** Label domain of the AWS provider; users may only use its well-known labels. */
export const awsLabelDomain = 'karpenter.k8s.aws';

/** Labels of instance types. Each type either sets a key or declares that it does not exist. */
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

/** Labels of an instance's placement. */
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

/** Labels of the domain that NodePools and NodeClaims may use, as listed in the CRD rules. */
export const selectableAwsLabels: readonly string[] = [
  awsLabelKeys.ec2NodeClass,
  ...Object.values(instanceLabelKeys),
  ...Object.values(placementLabelKeys),
].sort();

/** Labels that NodeOverlays may use. Not the placement labels, because overlays apply to instance types. */
export const selectableAwsOverlayLabels: readonly string[] = selectableAwsLabels.filter(
  (key) => !Object.values<string>(placementLabelKeys).includes(key),
);

/** Labels that requirements may use without a NodePool defining them. */
export const awsWellKnownLabels: ReadonlySet<string> = new Set([
  ...Object.values(instanceLabelKeys),
  ...Object.values(placementLabelKeys),
  awsLabelKeys.zoneId,
]);

/** Label policy on AWS. The zone label of the EBS CSI driver is an alias of the standard zone label. */
export const awsLabelPolicy: LabelPolicy = extendLabelPolicy(coreLabelPolicy, {
  wellKnown: awsWellKnownLabels,
  restrictedDomains: new Set([awsLabelDomain]),
  aliases: new Map([['topology.ebs.csi.aws.com/zone', labelKeys.zone]]),
});
