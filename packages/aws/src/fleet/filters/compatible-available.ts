import { fits } from '@karpenter/core/values';
import {
  isCompatibleType,
  type LaunchableOffering,
  type LaunchableType,
  openOfferings,
} from '../../launchable/index.ts';
import { type LaunchFilter, type LaunchRequirements, withOfferings } from './launch-filter.ts';

/** Types that meet the requirements, have room for the requests and are available, with their available offerings. */
export const compatibleAvailable: LaunchFilter = {
  name: 'compatible-available-filter',
  keep: (types, required) =>
    types.flatMap((type) => {
      if (!isCompatibleType(type, required)) return [];
      const open = openOfferings(type, required);
      return hasRoomIn(open, type, required) ? [withOfferings(type, open)] : [];
    }),
};

/** A NodeOverlay may change the allocatable of single offerings, so one must be both large enough and available. */
function hasRoomIn(
  open: readonly LaunchableOffering[],
  type: LaunchableType,
  { requests }: LaunchRequirements,
): boolean {
  if (open.length === 0) return false;
  const fitsBase = fits(requests, type.allocatable);
  return open.some(({ allocatable }) => (allocatable === undefined ? fitsBase : fits(requests, allocatable)));
}
