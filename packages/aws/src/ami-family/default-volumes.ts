import type { BlockDeviceMapping } from '../node-class/index.ts';
import type { AmiFamilyName } from './ami-family.ts';

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

/** Block devices of the class, else the defaults of the AMI family; an empty list counts as not set. */
export function blockDevicesOf(
  family: AmiFamilyName,
  chosen: readonly BlockDeviceMapping[] = [],
): readonly BlockDeviceMapping[] {
  return chosen.length === 0 ? familyDevices[family] : chosen;
}
