import type { LaunchTemplateBlockDeviceMappingRequest } from '@aws-sdk/client-ec2';
import { parseQuantity, toNumber } from '@karpenter/core/values';
import type { BlockDevice, BlockDeviceMapping } from '../node-class/index.ts';

const gibibyte = 2 ** 30;

export function blockDeviceRequests(
  mappings: readonly BlockDeviceMapping[],
): LaunchTemplateBlockDeviceMappingRequest[] | undefined {
  if (mappings.length === 0) return undefined;
  return mappings.map(({ deviceName, ebs }) => ({
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    // The CRD accepts a mapping without `ebs`; Karpenter crashes on it at launch.
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

/** EC2 takes whole GiB. Rounds up, as Karpenter does, so that no volume is smaller than the class says. */
function gibibytes(text: string): number {
  return Math.ceil(toNumber(parseQuantity(text, 'spec.blockDeviceMappings[].ebs.volumeSize')) / gibibyte);
}

/** Removes undefined fields. EC2 treats them as absent anyway, but logs and tests show only what is set. */
export function withoutUndefined<T extends object>(fields: T): T {
  const kept = { ...fields };
  for (const key of Object.keys(kept) as (keyof T)[]) if (kept[key] === undefined) delete kept[key];
  return kept;
}
