import type { LaunchTemplateBlockDeviceMappingRequest } from '@aws-sdk/client-ec2';
import { parseQuantity, toNumber } from '@karpenter/core/values';
import type { AmiFamilyName } from '../ami-family/index.ts';
import type { BlockDevice, BlockDeviceMapping } from '../node-class/index.ts';

const gibibyte = 2 ** 30;

function volume(deviceName: string, volumeSize: string): BlockDeviceMapping {
  return { deviceName, ebs: { encrypted: true, volumeType: 'gp3', volumeSize } };
}

const amazonLinux = [volume('/dev/xvda', '20Gi')];
const windows = [volume('/dev/sda1', '50Gi')];

/** Karpenter's default block devices per AMI family. */
const familyDevices: Readonly<Record<AmiFamilyName, readonly BlockDeviceMapping[]>> = {
  AL2: amazonLinux,
  AL2023: amazonLinux,
  Bottlerocket: [volume('/dev/xvda', '4Gi'), volume('/dev/xvdb', '20Gi')],
  Custom: [],
  Windows2019: windows,
  Windows2022: windows,
  Windows2025: windows,
};

/** Block devices of the class, else the defaults of the AMI family. */
export function blockDevicesOf(
  family: AmiFamilyName,
  chosen: readonly BlockDeviceMapping[] | undefined,
): readonly BlockDeviceMapping[] {
  return chosen ?? familyDevices[family];
}

export function blockDeviceRequests(
  mappings: readonly BlockDeviceMapping[],
): LaunchTemplateBlockDeviceMappingRequest[] | undefined {
  if (mappings.length === 0) return undefined;
  return mappings.map(({ deviceName, ebs }) => ({
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    ...(ebs !== undefined && { Ebs: ebsRequest(ebs) }),
  }));
}

function ebsRequest(ebs: BlockDevice): NonNullable<LaunchTemplateBlockDeviceMappingRequest['Ebs']> {
  return withoutUndefined({
    DeleteOnTermination: ebs.deleteOnTermination,
    Encrypted: ebs.encrypted,
    VolumeType: ebs.volumeType,
    // EC2 rejects a zero; leaving the field out selects its default.
    Iops: ebs.iops === 0 ? undefined : ebs.iops,
    Throughput: ebs.throughput === 0 ? undefined : ebs.throughput,
    KmsKeyId: ebs.kmsKeyID,
    SnapshotId: ebs.snapshotID,
    VolumeInitializationRate: ebs.volumeInitializationRate,
    VolumeSize: ebs.volumeSize === undefined ? undefined : gibibytes(ebs.volumeSize),
  });
}

/** EC2 takes whole GiB; Karpenter rounds up. */
function gibibytes(text: string): number {
  return Math.ceil(toNumber(parseQuantity(text, 'spec.blockDeviceMappings[].ebs.volumeSize')) / gibibyte);
}

/** Removes undefined fields. EC2 treats them as absent anyway, but logs and tests show only what is set. */
export function withoutUndefined<T extends object>(fields: T): T {
  const kept = { ...fields };
  for (const key of Object.keys(kept) as (keyof T)[]) if (kept[key] === undefined) delete kept[key];
  return kept;
}
