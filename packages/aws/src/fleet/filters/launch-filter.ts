import type { CapacityType } from '@karpenter/core/api';
import { labelKeys } from '@karpenter/core/api';
import type { ResourceList } from '@karpenter/core/values';
import type { CatalogueRequirements, LaunchableOffering, LaunchableType } from '../../launchable/index.ts';

/** What a launch asks for, in the terms of a catalogue. */
export interface LaunchRequirements extends CatalogueRequirements {
  /** What must fit on the instance. */
  readonly requests: ResourceList;
  /** Some requirement asks for several values, so variety counts more than price. */
  readonly hasMinValues: boolean;
}

/**
 * A step of the choice among types. It may drop types, or offerings of them, but never add any. The first step drops
 * every offering that is unavailable or incompatible, so the others do not ask again: there are thousands.
 */
export interface LaunchFilter {
  readonly name: string;
  readonly keep: (
    types: readonly LaunchableType[],
    required: LaunchRequirements,
  ) => readonly LaunchableType[];
}

export function allows(
  { catalogue, requirements }: CatalogueRequirements,
  capacityType: CapacityType,
): boolean {
  return requirements.get(catalogue.vocabulary.key(labelKeys.capacityType)).has(capacityType);
}

export function offeringsSoldAs(
  { offerings }: LaunchableType,
  capacityType: CapacityType,
): readonly LaunchableOffering[] {
  return offerings.filter((offering) => offering.capacityType === capacityType);
}

/** The type with only some of its offerings. */
export function withOfferings(
  from: LaunchableType,
  offerings: readonly LaunchableOffering[],
): LaunchableType {
  if (offerings === from.offerings) return from;
  const { type, name, requirements, hasOnlyWellKnownLabels, allocatable } = from;
  // No spread, so that the copy has the hidden class of the others (ADR 0034).
  return { type, name, requirements, hasOnlyWellKnownLabels, offerings, allocatable };
}
