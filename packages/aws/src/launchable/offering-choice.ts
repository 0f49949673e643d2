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

/** Returns the available offerings that meet the requirements; the type's own list if that is all of them. */
export function openOfferings(
  type: LaunchableType,
  wanted: CatalogueRequirements,
): readonly LaunchableOffering[] {
  const results = compatibility.get(wanted.requirements) ?? new Map<Requirements, boolean>();
  compatibility.set(wanted.requirements, results);
  const isOpen = (offering: LaunchableOffering) =>
    offering.available && isCompatibleMemoized(offering, wanted, results);
  const { offerings } = type;
  return offerings.every(isOpen) ? offerings : offerings.filter(isOpen);
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

/**
 * Whether the type meets the requirements of the launch. If all labels of the type are well-known, a launch may leave
 * any of them undefined, and then intersecting the few requirements of the launch with the dozens of the type is
 * enough.
 */
export function isCompatibleType(type: LaunchableType, wanted: CatalogueRequirements): boolean {
  return type.hasOnlyWellKnownLabels
    ? wanted.requirements.intersects(type.requirements)
    : isCompatible(type, wanted);
}

/** Whether requirements are compatible with those of the launch. */
export function isCompatible(
  { requirements }: { readonly requirements: Requirements },
  wanted: CatalogueRequirements,
): boolean {
  return wanted.requirements.compatible(requirements, wanted.catalogue.wellKnown);
}

type OfferingsByCapacityType = Map<CapacityType, readonly LaunchableOffering[]>;
const chosen = new WeakMap<Requirements, WeakMap<LaunchableType, OfferingsByCapacityType>>();

/**
 * Like `openOfferings`, for one capacity type, and cached, because a launch reads the offerings of its few types
 * several times. Launches with equal requirements share one Requirements object, and with it the cache (ADR 0022).
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
  const offerings =
    known.get(capacityType) ??
    openOfferings(type, wanted).filter((offering) => offering.capacityType === capacityType);
  known.set(capacityType, offerings);
  return offerings;
}

/** Returns the lowest price of the available offerings; Infinity if there are none. */
export function cheapestPrice(type: LaunchableType, wanted: CatalogueRequirements): number {
  return lowestPrice(openOfferings(type, wanted));
}

export function lowestPrice(offerings: readonly LaunchableOffering[]): number {
  return offerings.reduce((least, { price }) => Math.min(least, price), Number.POSITIVE_INFINITY);
}
