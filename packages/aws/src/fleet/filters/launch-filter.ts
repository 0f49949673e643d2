import type { CapacityType } from '@karpenter/core/api';
import { labelKeys } from '@karpenter/core/api';
import type { ResourceList } from '@karpenter/core/values';
import type { CatalogueRequirements, LaunchableOffering, LaunchableType } from '../../launchable/index.ts';

/** Requirements and requests of a launch, compiled with the vocabulary of a catalogue. */
export interface LaunchRequirements extends CatalogueRequirements {
  /** Resources that must fit on the instance. */
  readonly requests: ResourceList;
  /** Whether a requirement has minValues, so that variety counts more than price. */
  readonly hasMinValues: boolean;
}

/**
 * Narrows the types of a launch. A filter may drop types or offerings, but never add any. The first filter drops every
 * offering that is unavailable or incompatible, so that the others need not check thousands of offerings again.
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
