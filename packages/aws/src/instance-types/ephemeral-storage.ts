import type { AmiFamily } from '../ami-family/index.ts';
import type { BlockDeviceMapping } from '../node-class/index.ts';
import type { DescribedType } from './described-type.ts';
import type { NodeFacts } from './node-facts.ts';

/** Default volume size of Karpenter. */
const defaultSize = '20Gi';

/** Returns the size of the volume that images, logs and `emptyDir` volumes share, as written in the class. */
export function ephemeralStorage(type: DescribedType, facts: NodeFacts): string {
  return joinedDisks(type, facts) ?? mappedSize(facts) ?? facts.family.dataVolume?.size ?? defaultSize;
}

/**
 * With the RAID0 policy all instance store volumes form
 * one disk. EC2 reports their size in decimal gigabytes.
 */
function joinedDisks({ InstanceStorageInfo }: DescribedType, facts: NodeFacts): string | undefined {
  const size = InstanceStorageInfo?.TotalSizeInGB;
  return facts.instanceStorePolicy === 'RAID0' && size !== undefined ? `${size}G` : undefined;
}

function mappedSize({ blockDeviceMappings = [], family }: NodeFacts): string | undefined {
  const root = blockDeviceMappings.find(({ rootVolume }) => rootVolume === true);
  return sizeOf(root) ?? sizeOf(dataMapping(blockDeviceMappings, family));
}

/** The data volume of a custom AMI is unknown. Uses the last mapping, as in Karpenter. */
function dataMapping(
  mappings: readonly BlockDeviceMapping[],
  { dataVolume }: AmiFamily,
): BlockDeviceMapping | undefined {
  if (dataVolume === undefined) return mappings.at(-1);
  return mappings.find(({ deviceName }) => deviceName === dataVolume.deviceName);
}

/** Ignores a unit without a number (`Ti`), which the CRD's pattern accepts. */
function sizeOf(mapping: BlockDeviceMapping | undefined): string | undefined {
  const size = mapping?.ebs?.volumeSize;
  return size !== undefined && /^\d/.test(size) ? size : undefined;
}
