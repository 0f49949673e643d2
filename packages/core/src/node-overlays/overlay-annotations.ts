import { annotationKeys } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { Labels } from '../values/index.ts';

/** Annotations of a NodeClaim with instance types that an overlay changed. */
export function overlayAnnotations(types: readonly InstanceType[]): Labels {
  const hasPrice = types.some(({ offerings }) => offerings.some(({ hasPriceOverlay }) => hasPriceOverlay));
  const hasCapacity = types.some(({ hasCapacityOverlay }) => hasCapacityOverlay);
  return {
    ...(hasPrice && { [annotationKeys.priceOverlayApplied]: 'true' }),
    ...(hasCapacity && { [annotationKeys.capacityOverlayApplied]: 'true' }),
  };
}
