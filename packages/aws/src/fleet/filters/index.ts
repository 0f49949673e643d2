/**
 * Filters that narrow the instance types of one launch, in Karpenter's order: each is a pure function of types and
 * requirements. Start with `launch-filter.ts`, the interface.
 */

import { compatibleAvailable } from './compatible-available.ts';
import { exoticInstance } from './exotic-types.ts';
import type { LaunchFilter } from './launch-filter.ts';
import { capacityBlock, capacityReservationType, reservedOffering } from './reservations.ts';
import { spotOffering } from './spot-offerings.ts';

export { allows, type LaunchFilter, type LaunchRequirements } from './launch-filter.ts';

/** In the order in which they are applied. */
export const launchFilters: readonly LaunchFilter[] = [
  compatibleAvailable,
  capacityReservationType,
  capacityBlock,
  reservedOffering,
  exoticInstance,
  spotOffering,
];
