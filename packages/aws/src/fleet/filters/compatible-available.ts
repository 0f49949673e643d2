import { fits } from '@karpenter/core/values';
import { isWanted, type LaunchableType, openOfferings } from '../../launchable/index.ts';
import type { LaunchFilter, LaunchWish } from './launch-filter.ts';

/** Types that meet the requirements, hold what is asked, and can be had. */
export const compatibleAvailable: LaunchFilter = {
  name: 'compatible-available-filter',
  keep: (types, wish) => types.filter((type) => isWanted(type, wish) && hasRoomSomewhere(type, wish)),
};

/** What fits may depend on the offering, so there must be one that both fits and can be had. */
function hasRoomSomewhere(type: LaunchableType, wish: LaunchWish): boolean {
  const fitsBase = fits(wish.requests, type.allocatable);
  return openOfferings(type, wish).some(({ allocatable }) =>
    allocatable === undefined ? fitsBase : fits(wish.requests, allocatable),
  );
}
