import type { KnownInstanceType } from '@karpenter/core/admission';
import { labelKeys } from '@karpenter/core/api';
import { type DescribedType, describedLabels, nameOf } from '../instance-types/index.ts';

/**
 * The types of a region with the labels that no NodeClass changes. Zones, images, tenancy, capacity types and
 * reservations are left out, because what an account can use of them may change at any time.
 */
export function knownInstanceTypes(
  types: readonly DescribedType[],
  region: string,
): readonly KnownInstanceType[] {
  return types.map((type) => ({
    name: nameOf(type),
    labels: { ...describedLabels(type), [labelKeys.region]: region },
  }));
}
