import type { AmiFamilyName } from '../../ami-family/index.ts';
import type { AwsServices } from '../../ports/index.ts';
import type { FindingList } from '../finding.ts';
import { bootstrapFlags } from './bootstrap-flags.ts';
import { metadataFrom } from './metadata-options.ts';
import type { SourceGroup } from './source-group.ts';

type Versions = Awaited<ReturnType<AwsServices['ec2']['describeLaunchTemplateVersions']>>;
export type TemplateContent = NonNullable<
  NonNullable<Versions['LaunchTemplateVersions']>[number]['LaunchTemplateData']
>;

/** The fields of a launch template that map to an EC2NodeClass or NodePool. */
export type TemplateFields = Pick<
  SourceGroup,
  'instanceTypes' | 'labels' | 'taints' | 'securityGroupIds' | 'nodeClass' | 'tags'
> & {
  readonly imageId?: string;
  readonly family?: AmiFamilyName;
  readonly instanceProfile?: string;
  readonly isSpot: boolean;
};

/** Reads a launch template and reports the settings without an equivalent. */
export function templateFields(data: TemplateContent, findings: FindingList): TemplateFields {
  const flags = bootstrapFlags(data.UserData ?? '');
  reportUnmapped(data, findings);
  const profile = data.IamInstanceProfile;
  const instanceProfile = profile?.Name ?? profile?.Arn?.split('/').at(-1);
  const groups = (data.NetworkInterfaces ?? []).flatMap(({ Groups = [] }) => Groups);
  return {
    instanceTypes: data.InstanceType === undefined ? [] : [data.InstanceType],
    labels: flags.labels,
    taints: flags.taints,
    securityGroupIds: [...new Set([...(data.SecurityGroupIds ?? []), ...groups])],
    nodeClass: nodeClassFields(data, flags.maxPods),
    tags: tagsOf(data),
    ...(data.ImageId !== undefined && { imageId: data.ImageId }),
    ...(instanceProfile !== undefined && { instanceProfile }),
    ...(flags.family !== undefined && { family: flags.family }),
    isSpot: data.InstanceMarketOptions?.MarketType === 'spot',
  };
}

function nodeClassFields(data: TemplateContent, maxPods: number | undefined): SourceGroup['nodeClass'] {
  const reservationId =
    data.CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId;
  const { Placement: placement } = data;
  const isPublic = data.NetworkInterfaces?.[0]?.AssociatePublicIpAddress;
  const blockDeviceMappings = (data.BlockDeviceMappings ?? []).flatMap(blockDevice);
  return {
    ...(blockDeviceMappings.length > 0 && { blockDeviceMappings }),
    ...(maxPods !== undefined && { kubelet: { maxPods } }),
    ...(data.MetadataOptions !== undefined && { metadataOptions: metadataFrom(data.MetadataOptions) }),
    ...(data.Monitoring?.Enabled === true && { detailedMonitoring: true }),
    ...(isPublic !== undefined && { associatePublicIPAddress: isPublic }),
    ...(reservationId !== undefined && { capacityReservationSelectorTerms: [{ id: reservationId }] }),
    ...(placement?.GroupName !== undefined && { placementGroupSelector: { name: placement.GroupName } }),
    ...(placement?.GroupName === undefined &&
      placement?.GroupId !== undefined && { placementGroupSelector: { id: placement.GroupId } }),
  };
}

type BlockDeviceMapping = NonNullable<SourceGroup['nodeClass']['blockDeviceMappings']>[number];

function blockDevice(
  mapping: NonNullable<TemplateContent['BlockDeviceMappings']>[number],
): readonly BlockDeviceMapping[] {
  const { DeviceName: deviceName, Ebs: volume } = mapping;
  if (deviceName === undefined || volume === undefined) return [];
  if (volume.VolumeSize === undefined && volume.SnapshotId === undefined) return [];
  return [
    {
      deviceName,
      ebs: {
        ...(volume.VolumeSize !== undefined && { volumeSize: `${volume.VolumeSize}Gi` }),
        ...(volume.VolumeType !== undefined && { volumeType: volume.VolumeType }),
        ...(volume.Iops !== undefined && { iops: volume.Iops }),
        ...(volume.Throughput !== undefined && { throughput: volume.Throughput }),
        ...(volume.Encrypted !== undefined && { encrypted: volume.Encrypted }),
        ...(volume.KmsKeyId !== undefined && { kmsKeyID: volume.KmsKeyId }),
        ...(volume.SnapshotId !== undefined && { snapshotID: volume.SnapshotId }),
        deleteOnTermination: volume.DeleteOnTermination ?? true,
      },
    },
  ];
}

function tagsOf(data: TemplateContent): Readonly<Record<string, string>> {
  const ofInstances = (data.TagSpecifications ?? []).filter(
    ({ ResourceType }) => ResourceType === 'instance',
  );
  const tags = ofInstances.flatMap(({ Tags = [] }) => Tags);
  return Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));
}

function reportUnmapped(data: TemplateContent, findings: FindingList): void {
  if (data.KeyName !== undefined)
    findings.unmapped(
      `launch template KeyName: ${data.KeyName}`,
      'nodes of Karpenter have no SSH key: use Session Manager',
    );
  if (data.UserData !== undefined)
    findings.approximate(
      'launch template UserData',
      'labels, taints and maxPods are read from it and the bootstrap is generated; copy what else it does into EC2NodeClass spec.userData',
    );
  if ((data.NetworkInterfaces ?? []).some(({ InterfaceType = '' }) => InterfaceType.startsWith('efa')))
    findings.approximate(
      'launch template EFA interfaces',
      'Karpenter adds EFA interfaces for pods that request vpc.amazonaws.com/efa',
    );
  if (data.CpuOptions !== undefined)
    findings.unmapped(
      'launch template CpuOptions',
      'EC2NodeClass spec.cpuOptions sets nested virtualization only',
    );
  if (data.InstanceRequirements !== undefined)
    findings.unmapped(
      'launch template InstanceRequirements',
      'write them as requirements of the NodePool: see karpenter.k8s.aws/instance-* labels',
    );
}
