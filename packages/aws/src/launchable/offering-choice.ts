import type { CapacityType } from '@karpenter/core/api';
import type { Requirements } from '@karpenter/core/requirements';
import type { Catalogue, LaunchableOffering, LaunchableType } from './launchable-type.ts';

/** Requirements of a launch, compiled with a catalogue's vocabulary. */
export interface CatalogueRequirements {
  readonly catalogue: Catalogue;
  readonly requirements: Requirements;
}

/**
 * Compatibility per pair of requirements. Offerings of all
 * types share few requirement objects, so each is checked once.
 */
const compatibility = new WeakMap<Requirements, Map<Requirements, boolean>>();

/** Returns the available offerings that meet the requirements. */
export function openOfferings(
  type: LaunchableType,
  wanted: CatalogueRequirements,
): readonly LaunchableOffering[] {
  const results = compatibility.get(wanted.requirements) ?? new Map<Requirements, boolean>();
  compatibility.set(wanted.requirements, results);
  return type.offerings.filter(
    (offering) => offering.available && isCompatibleMemoized(offering, wanted, results),
  );
}

function isCompatibleMemoized(
  offering: LaunchableOffering,
  wanted: CatalogueRequirements,
  results: Map<Requirements, boolean>,
): boolean {
  const cached = results.get(offering.requirements);
  if (cached !== undefined) return cached;
  const result = isCompatible(offering, wanted);
  results.set(offering.requirements, result);
  return result;
}

/** Whether requirements are compatible with those of the launch. */
export function isCompatible(
  { requirements }: { readonly requirements: Requirements },
  wanted: CatalogueRequirements,
): boolean {
  return wanted.requirements.compatible(requirements, wanted.catalogue.wellKnown);
}

/** As `openOfferings`, of one capacity type. */
export function offeringsSoldAs(
  type: LaunchableType,
  capacityType: CapacityType,
  wanted: CatalogueRequirements,
): readonly LaunchableOffering[] {
  return openOfferings(type, wanted).filter((offering) => offering.capacityType === capacityType);
}

type OfferingsByCapacityType = Map<CapacityType, readonly LaunchableOffering[]>;
const chosen = new WeakMap<Requirements, WeakMap<LaunchableType, OfferingsByCapacityType>>();

/**
 * As `offeringsSoldAs`, remembered: for the few types that a launch is tried with, about which it asks several times.
 * Launches that ask for the same share their requirements.
 */
export function chosenOfferings(
  type: LaunchableType,
  capacityType: CapacityType,
  wanted: CatalogueRequirements,
): readonly LaunchableOffering[] {
  const byType = chosen.get(wanted.requirements) ?? new WeakMap<LaunchableType, OfferingsByCapacityType>();
  chosen.set(wanted.requirements, byType);
  const known: OfferingsByCapacityType = byType.get(type) ?? new Map();
  byType.set(type, known);
  const offerings = known.get(capacityType) ?? offeringsSoldAs(type, capacityType, wanted);
  known.set(capacityType, offerings);
  return offerings;
}

/** Returns the lowest price of the available offerings; Infinity if there are none. */
export function cheapestPrice(type: LaunchableType, wanted: CatalogueRequirements): number {
  return Math.min(...openOfferings(type, wanted).map(({ price }) => price), Number.POSITIVE_INFINITY);
}
