import type { AmiFamily } from '../ami-family/index.ts';
import type { BlockDeviceMapping } from '../node-class/index.ts';
import type { DescribedType } from './described-type.ts';
import type { NodeFacts } from './node-facts.ts';

const usualSize = '20Gi';

/** The size of the disk that images, logs and `emptyDir` volumes share, as it was written. */
export function ephemeralStorage(type: DescribedType, facts: NodeFacts): string {
  return joinedDisks(type, facts) ?? mappedSize(facts) ?? facts.family.dataVolume?.size ?? usualSize;
}

/** EC2 counts local disks in decimal gigabytes. */
function joinedDisks({ InstanceStorageInfo }: DescribedType, facts: NodeFacts): string | undefined {
  const size = InstanceStorageInfo?.TotalSizeInGB;
  return facts.instanceStorePolicy === 'RAID0' && size !== undefined ? `${size}G` : undefined;
}

function mappedSize({ blockDeviceMappings = [], family }: NodeFacts): string | undefined {
  const root = blockDeviceMappings.find(({ rootVolume }) => rootVolume === true);
  return sizeOf(root) ?? sizeOf(dataMapping(blockDeviceMappings, family));
}

/** Which of its volumes an image that is somebody's own keeps its data on cannot be known: the last is a guess. */
function dataMapping(
  mappings: readonly BlockDeviceMapping[],
  { dataVolume }: AmiFamily,
): BlockDeviceMapping | undefined {
  if (dataVolume === undefined) return mappings.at(-1);
  return mappings.find(({ deviceName }) => deviceName === dataVolume.deviceName);
}

/** The CRD lets a bare unit pass (`Ti`), which is no size. */
function sizeOf(mapping: BlockDeviceMapping | undefined): string | undefined {
  const size = mapping?.ebs?.volumeSize;
  return size !== undefined && /^\d/.test(size) ? size : undefined;
}
